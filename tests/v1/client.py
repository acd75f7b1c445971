"""What the Python client of the OpenAI API makes of our answers, as one JSON object.

Arguments: the base address, and a key. What it asks is fixed; tests/v1/python.rs says what must
come of it.
"""

import json
import sys

import openai
import pydantic


class Eggs(pydantic.BaseModel):
    """An answer that would be an object."""

    count: int


def fault(ask):
    """The class and the code of the error that a question raises."""
    try:
        ask()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code]
    except openai.APIError as error:
        return [type(error).__name__, None, error.code]
    return None


def main():
    base, key, what = sys.argv[1:4]
    client = openai.OpenAI(base_url=base + "/v1", api_key=key, max_retries=0)

    def say(message, **more):
        more.setdefault("model", "candor")
        lines = [{"role": "user", "content": message}]
        return client.chat.completions.create(messages=lines, **more)

    if what == "fault":
        print(json.dumps(fault(lambda: say("add milk"))))
        return

    found = {"models": [model.id for model in client.models.list()]}
    found["model"] = client.models.retrieve("candor").owned_by

    added = say("add Read book")
    found["said"] = added.choices[0].message.content
    found["finish"] = added.choices[0].finish_reason
    found["candor"] = added.candor["action_metadata"]["task_title"]
    found["usage"] = added.usage.total_tokens == added.usage.prompt_tokens + added.usage.completion_tokens

    kept = client.responses.create(model="candor", input="add milk")
    found["response"] = [kept.output_text, kept.candor["action_metadata"]["task_title"]]
    with client.responses.stream(
        model="candor", input="mark it as done", previous_response_id=kept.id
    ) as stream:
        kinds = [event.type for event in stream]
        found["response_stream"] = [stream.get_final_response().output_text, kinds[0], kinds[-1]]

    pieces, finish, usage, receipts = [], None, None, None
    for chunk in say("what are my tasks?", stream=True, stream_options={"include_usage": True}):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            pieces.append(choice.delta.content or "")
            finish = choice.finish_reason or finish
        receipts = getattr(chunk, "candor", None) or receipts
    found["streamed"] = ["".join(pieces), finish, usage.total_tokens > 0, receipts["kind"]]

    with client.chat.completions.stream(
        model="candor", messages=[{"role": "user", "content": "hello"}]
    ) as stream:
        for _ in stream:
            pass
        found["helper"] = stream.get_final_completion().choices[0].message.content

    tool = {"type": "function", "function": {"name": "delete_task", "parameters": {}}}
    found["faults"] = {
        "model": fault(lambda: say("hello", model="gpt-4")),
        "n": fault(lambda: say("hello", n=2)),
        "empty": fault(lambda: say("")),
        "image": fault(
            lambda: say([{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}])
        ),
        "large": fault(lambda: say("hello", user="x" * 1_100_000)),
        "missing": fault(lambda: client.models.retrieve("gpt-4")),
        "tools": fault(lambda: say("add eggs", tools=[tool])),
        "parse": fault(
            lambda: client.chat.completions.parse(
                model="candor", messages=[{"role": "user", "content": "add eggs"}], response_format=Eggs
            )
        ),
        "response_parse": fault(
            lambda: client.responses.parse(model="candor", input="add eggs", text_format=Eggs)
        ),
        "address": fault(lambda: client.embeddings.create(model="candor", input="hello")),
    }
    print(json.dumps(found))


main()
