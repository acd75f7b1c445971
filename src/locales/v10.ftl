# Texts of replies of version 10 that have changed since, a part a language: a reply is computed again in the words in
# which it was told. See edition.rs.

### ur

refused-line = { $verb ->
    [add] { $what } add nahi kiya
    [delete] { $what } delete nahi kiya
    [complete] { $what } mukammal nahi kiya
    [undo] Kuch wapas nahi liya
   *[change] { $what } nahi badla
  }: aap ke alfaaz mein yeh nahi mila.
could-not = { $what } – { $verb ->
    [add] add nahi ho saka
    [delete] delete nahi ho saka
    [complete] mukammal nahi ho saka
    [reopen] dobara nahi khul saka
    [update] badla nahi ja saka
    [delegate] delegate nahi ho saka
    [read] parha nahi ja saka
    [cancel] cancel nahi ho saka
    [list] dikhaya nahi ja saka
    [undo] wapas nahi liya ja saka
   *[do] nahi ho saka
  }: { $cause }.
worker-reading = { $total } mein se { $read } files parhi ja rahi hain
worker-found = "{ $name }" ke liye { $total } mein se { $read } files parhi gayin; { $found ->
    [0] kisi mein is ke bare mein kuch nahi
   *[other] { $found } mein is ke bare mein kuch hai
  }.
tasks = { $count }{ $status ->
    [pending] {" "}baqi
    [completed] {" "}mukammal
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } { $count ->
    [one] task
   *[other] tasks
  }
you-have-none = Koi{ $status ->
    [pending] {" "}baqi
    [completed] {" "}mukammal
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } task{ $conditions } nahi (kul { $total }).
condition-undated = bina due date ke
no-match = Koi task { $query } se nahi milta (kul { $total }).
nobody-listening = Abhi koi nahi sun raha: page khula rakhein ya CANDOR_WEBHOOK_URL set karein.
cause-invalid = call durust na thi
cause-not-a-day = due date koi din nahi
cause-no-day = '{ $value }' koi din nahi
cause-wrong-priority = priority in mein se nahi: { $values }
cause-wrong-status = status in mein se nahi: { $values }
ask-note = { $name } ka note { $note } kar dun?
rest-not-taken = Baqi nahi ho saka: database ne nahi liya.
agent-asks-nothing = { $handle } kuch nahi poochta.
taken-back = wapas le liya
repeat-every = { $unit ->
    [day] { $interval ->
        [1] har roz
       *[other] har { $interval } din
      }
    [week] { $interval ->
        [1] har hafte
       *[other] har { $interval } hafte
      }
    [month] { $interval ->
        [1] har mahine
       *[other] har { $interval } mahine
      }
   *[year] { $interval ->
        [1] har saal
       *[other] har { $interval } saal
      }
  }
repeat-weekdays = har { $days }
repeat-on-day = { $every } ki { $day } tareekh ko
repeat-on-last-day = { $every } ke aakhri din
repeat-on-last-weekday = { $every } ke aakhri { weekday-name } ko
repeat-on-nth = { $every } ke { $nth ->
    [1] pehle
    [2] doosre
    [3] teesre
    [4] chauthe
   *[5] paanchwe
  } { weekday-name } ko
weekday = { $weekday ->
    [1] Somvar
    [2] Mangal
    [3] Budh
    [4] Jumerat
    [5] Juma
    [6] Sanichar
   *[7] Itwar
  }
weekday-name = { $weekday ->
    [1] somvar
    [2] mangal
    [3] budh
    [4] jumerat
    [5] jume
    [6] sanichar
   *[7] itwar
  }
