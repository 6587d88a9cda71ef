/* Go-back-N over lossy FIFO channels: the states and steps of models/go-back-n.ioa. */
byte base, next, expected;
chan data = [5] of { byte };
chan acks = [5] of { byte };

#define OPEN(x) ((x + 8 - base) % 8)

active proctype System() {
  byte m;
  do
  :: d_step { OPEN(next) < 4 && len(data) < 5 -> data!next; next = (next + 1) % 8 }
  :: d_step { base != next && len(data) < 5 -> next = base }
  :: d_step { len(data) > 0 && len(acks) < 5 ->
       data?m;
       if :: m == expected -> expected = (expected + 1) % 8 :: else fi;
       acks!expected; m = 0 }
  :: d_step { len(acks) > 0 -> acks?m; if :: OPEN(m) <= OPEN(next) -> base = m :: else fi; m = 0 }
  :: d_step { len(data) > 0 -> data?m; m = 0 }
  :: d_step { len(acks) > 0 -> acks?m; m = 0 }
  od
}
