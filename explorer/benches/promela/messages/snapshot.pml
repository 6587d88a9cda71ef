/* A snapshot of three accounts: the states and steps of models/messages/snapshot.ioa. A message is an amount, or 3 for a marker. */
byte balance[3] = 1, recorded[3], closed[3], passing[9];
bit begun;
chan c01 = [3] of { byte };
chan c02 = [3] of { byte };
chan c10 = [3] of { byte };
chan c12 = [3] of { byte };
chan c20 = [3] of { byte };
chan c21 = [3] of { byte };

#define SEND(i, j, c) \
  :: d_step { balance[i] >= 1 && len(c) < 2 -> balance[i] = balance[i] - 1; c!1 } \
  :: d_step { balance[i] >= 2 && len(c) < 2 -> balance[i] = balance[i] - 2; c!2 }
#define BEGIN(i, to, other) :: d_step { !begun -> begun = 1; recorded[i] = balance[i] + 1; to!3; other!3 }
#define RECEIVE(i, j, c, to, other) \
  :: d_step { len(c) > 0 -> c?m; \
       if \
       :: m < 3 -> balance[j] = balance[j] + m; \
          if :: recorded[j] != 0 && !((closed[j] >> i) & 1) -> passing[3 * i + j] = passing[3 * i + j] + m :: else fi \
       :: else -> \
          if :: recorded[j] == 0 -> recorded[j] = balance[j] + 1; to!3; other!3 :: else fi; \
          closed[j] = closed[j] | (1 << i) \
       fi; m = 0 }

active proctype System() {
  byte m;
  do
  SEND(0, 1, c01) SEND(0, 2, c02) SEND(1, 0, c10) SEND(1, 2, c12) SEND(2, 0, c20) SEND(2, 1, c21)
  BEGIN(0, c01, c02) BEGIN(1, c10, c12) BEGIN(2, c20, c21)
  RECEIVE(1, 0, c10, c01, c02) RECEIVE(2, 0, c20, c01, c02)
  RECEIVE(0, 1, c01, c10, c12) RECEIVE(2, 1, c21, c10, c12)
  RECEIVE(0, 2, c02, c20, c21) RECEIVE(1, 2, c12, c20, c21)
  od
}
