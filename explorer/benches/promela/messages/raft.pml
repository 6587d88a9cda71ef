/* Raft's election with 3 servers and 3 terms: the states and steps of models/messages/raft.ioa. The messages that were sent are two
 * arrays of masks, of requests and of grants. A server i is stored as i + 1 where there may be none. */
int ask[2], grant[2];
byte term[3], role[3], voted[3], votes[3];

#define AT(from, to, t) (12 * (from) + 4 * (to) + (t))
#define SENT(set, from, to, t) ((set[AT(from, to, t) / 31] >> (AT(from, to, t) % 31)) & 1)
#define SEND(set, from, to, t) set[AT(from, to, t) / 31] = set[AT(from, to, t) / 31] | (1 << (AT(from, to, t) % 31))

#define SERVER(i) \
  :: d_step { role[i] != 2 && term[i] != 3 -> term[i] = term[i] + 1; role[i] = 1; voted[i] = i + 1; votes[i] = 1 << i } \
  :: d_step { role[i] == 1 && votes[i] != 0 && votes[i] != 1 && votes[i] != 2 && votes[i] != 4 -> role[i] = 2 }

#define LEARN(set, i, j, t) \
  :: d_step { SENT(set, i, j, t) && term[j] < t -> term[j] = t; role[j] = 0; voted[j] = 0; votes[j] = 0 }
#define MESSAGES(i, j) \
  :: d_step { role[i] == 1 && !SENT(ask, i, j, term[i]) -> SEND(ask, i, j, term[i]) } \
  :: d_step { SENT(ask, i, j, term[j]) && !SENT(grant, j, i, term[j]) && (voted[j] == 0 || voted[j] == i + 1) -> \
       voted[j] = i + 1; SEND(grant, j, i, term[j]) } \
  :: d_step { SENT(grant, i, j, term[j]) && role[j] == 1 && !((votes[j] >> i) & 1) -> votes[j] = votes[j] | (1 << i) } \
  LEARN(ask, i, j, 1) LEARN(ask, i, j, 2) LEARN(ask, i, j, 3) \
  LEARN(grant, i, j, 1) LEARN(grant, i, j, 2) LEARN(grant, i, j, 3)

active proctype System() {
  do
  SERVER(0)
  SERVER(1)
  SERVER(2)
  MESSAGES(0, 1)
  MESSAGES(0, 2)
  MESSAGES(1, 0)
  MESSAGES(1, 2)
  MESSAGES(2, 0)
  MESSAGES(2, 1)
  od
}
