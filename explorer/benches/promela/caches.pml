/* A directory and four caches: the states and steps of models/caches.ioa. The client is stored plus 1, as there may be none. */
byte state[4], request[4], reply[4];
byte obeyed, sharers, recalls, command, client;
bit given;

#define BIT(c) (1 << c)
#define WITHOUT(set, c) set & (255 - BIT(c))

#define CACHE(c) \
  :: d_step { request[c] == 0 && state[c] == 0 -> request[c] = 1 } \
  :: d_step { request[c] == 0 && state[c] != 2 -> request[c] = 2 } \
  :: d_step { command == 0 && request[c] != 0 -> \
       command = request[c]; request[c] = 0; client = c + 1; recalls = sharers } \
  :: d_step { (recalls & BIT(c)) && reply[c] == 0 && (command == 2 || (command == 1 && given)) -> \
       reply[c] = 1; recalls = WITHOUT(recalls, c) } \
  :: d_step { reply[c] == 1 && !(obeyed & BIT(c)) -> reply[c] = 0; obeyed = obeyed | BIT(c); state[c] = 0 } \
  :: d_step { (obeyed & BIT(c)) && command != 0 -> \
       obeyed = WITHOUT(obeyed, c); sharers = WITHOUT(sharers, c); given = 0 } \
  :: d_step { client == c + 1 && command == 1 && !given && reply[c] == 0 -> \
       reply[c] = 2; sharers = sharers | BIT(c); command = 0; client = 0 } \
  :: d_step { client == c + 1 && command == 2 && sharers == 0 && reply[c] == 0 -> \
       reply[c] = 3; sharers = sharers | BIT(c); given = 1; command = 0; client = 0 } \
  :: d_step { reply[c] > 1 -> state[c] = reply[c] - 1; reply[c] = 0 }

active proctype System() {
  do
  CACHE(0)
  CACHE(1)
  CACHE(2)
  CACHE(3)
  od
}
