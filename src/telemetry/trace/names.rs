//! The names of spans and of their attributes: OpenTelemetry's conventions for HTTP and for
//! generative AI (semantic-conventions-genai, status Development), and a few of our own.
//!
//! None of them carries what was said, a title, an argument of a tool or a key: the attributes
//! that the conventions have for content (`gen_ai.input.messages` and its kin) are left out for
//! good, not switched off.

/// HTTP: the method, as it was sent.
pub const METHOD: &str = "http.request.method";
/// HTTP: the route's pattern.
pub const ROUTE: &str = "http.route";
/// HTTP: the status of the answer.
pub const STATUS: &str = "http.response.status_code";
/// HTTP: the path, with what names anybody left out.
pub const PATH: &str = "url.path";
/// HTTP: `http` or `https`.
pub const SCHEME: &str = "url.scheme";
/// Host of the server, ours or the model's.
pub const SERVER_ADDRESS: &str = "server.address";
/// Its port.
pub const SERVER_PORT: &str = "server.port";
/// Kind of the error.
pub const ERROR_TYPE: &str = "error.type";

/// `chat`, `invoke_agent` or `execute_tool`.
pub const OPERATION: &str = "gen_ai.operation.name";
/// Provider that serves the model: its configured id.
pub const PROVIDER: &str = "gen_ai.provider.name";
/// The model that was asked.
pub const REQUEST_MODEL: &str = "gen_ai.request.model";
/// The model that answered.
pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
/// The server's id of its answer.
pub const RESPONSE_ID: &str = "gen_ai.response.id";
/// Reason why the answer ended, a list of one.
pub const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
/// Tokens that the model read.
pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
/// Tokens that it wrote.
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
/// The conversation's id.
pub const CONVERSATION: &str = "gen_ai.conversation.id";
/// Agent of the session, by its handle.
pub const AGENT_ID: &str = "gen_ai.agent.id";
/// `candor`, or the persona of an agent.
pub const AGENT_NAME: &str = "gen_ai.agent.name";
/// The tool's own name.
pub const TOOL_NAME: &str = "gen_ai.tool.name";
/// The model's id of the call.
pub const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";

/// The database's kind.
pub const DATABASE: &str = "db.system.name";

/// Ours: the id under which the log has the turn.
pub const TURN_ID: &str = "candor.turn.id";
/// Ours: the kind of the reply.
pub const TURN_KIND: &str = "candor.turn.kind";
/// Ours: what came of a call, or of a commit.
pub const OUTCOME: &str = "candor.outcome";
/// Ours: the id that stands in the log and in the answer's header.
pub const REQUEST_ID: &str = "candor.request.id";

/// The operation of a turn, and of an agent's run.
pub const INVOKE_AGENT: &str = "invoke_agent";
/// The operation of one question to a model.
pub const CHAT: &str = "chat";
/// The operation of one call of a tool.
pub const EXECUTE_TOOL: &str = "execute_tool";
/// The span of one unit of work.
pub const COMMIT: &str = "commit";
