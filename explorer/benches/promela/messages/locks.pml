/* Five transactions and three items: the states and steps of models/messages/locks.ioa. The items asked for are a mask. */
chan q0 = [5] of { byte };
chan q1 = [5] of { byte };
chan q2 = [5] of { byte };
byte asked[5], shrinking;

#define HAS(t, x) ((asked[t] >> x) & 1)
#define TWO(t) (asked[t] == 3 || asked[t] == 5 || asked[t] == 6)
#define SHRINKS(t) ((shrinking >> t) & 1)
#define HOLDS(t) ((!HAS(t, 0) || q0?[eval(t)]) && (!HAS(t, 1) || q1?[eval(t)]) && (!HAS(t, 2) || q2?[eval(t)]))

#define ASK(t, x, q) \
  :: d_step { !SHRINKS(t) && !TWO(t) && !HAS(t, x) && HOLDS(t) -> asked[t] = asked[t] | (1 << x); q!t }
#define RELEASE(t, x, q) \
  :: d_step { SHRINKS(t) && HAS(t, x) -> q?m; m = 0; asked[t] = asked[t] & (7 - (1 << x)); \
       if :: asked[t] == 0 -> shrinking = shrinking & (31 - (1 << t)) :: else fi }
#define TRANSACTION(t) \
  ASK(t, 0, q0) ASK(t, 1, q1) ASK(t, 2, q2) \
  :: d_step { !SHRINKS(t) && TWO(t) && HOLDS(t) -> shrinking = shrinking | (1 << t) } \
  RELEASE(t, 0, q0) RELEASE(t, 1, q1) RELEASE(t, 2, q2)

active proctype System() {
  byte m;
  do
  TRANSACTION(0)
  TRANSACTION(1)
  TRANSACTION(2)
  TRANSACTION(3)
  TRANSACTION(4)
  od
}
