# Texts of replies of version 7 that have changed since, a part a language: a reply is computed again in the words in
# which it was told. See edition.rs.

### en

days = { $from } to { $to }
