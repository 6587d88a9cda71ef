/* Six caches on a bus: the states and steps of models/messages/mesi.ioa. A state is 0 (invalid), 1 (shared), 2 (exclusive) or 3 (modified). */
#define N 6
byte state[N], waits;
chan bus = [N] of { byte, bit };

#define WAITS(c) ((waits >> c) & 1)
#define OTHER(c) (c != m && state[c] != 0)
#define SHARE(c) if :: state[c] > 1 -> state[c] = 1 :: else fi
#define DROP(c) if :: c != m -> state[c] = 0 :: else fi

#define CACHE(c) \
  :: d_step { !WAITS(c) && state[c] == 0 -> waits = waits | (1 << c); bus!c,0 } \
  :: d_step { !WAITS(c) && state[c] < 2 -> waits = waits | (1 << c); bus!c,1 } \
  :: d_step { state[c] == 2 -> state[c] = 3 } \
  :: d_step { !WAITS(c) && state[c] != 0 -> state[c] = 0 }

active proctype System() {
  byte m;
  bit w;
  do
  CACHE(0)
  CACHE(1)
  CACHE(2)
  CACHE(3)
  CACHE(4)
  CACHE(5)
  :: d_step { len(bus) > 0 -> bus?m,w;
       if
       :: w == 1 -> DROP(0); DROP(1); DROP(2); DROP(3); DROP(4); DROP(5); state[m] = 3
       :: w == 0 && (OTHER(0) || OTHER(1) || OTHER(2) || OTHER(3) || OTHER(4) || OTHER(5)) ->
            SHARE(0); SHARE(1); SHARE(2); SHARE(3); SHARE(4); SHARE(5); state[m] = 1
       :: else -> state[m] = 2
       fi;
       waits = waits & (63 - (1 << m)); m = 0; w = 0 }
  od
}
