/* Clients, a server that serves one of them at a time, and a channel each way for each of five clients: the states and steps of
 * models/messages/service.ioa. What a client asks for is stored plus 1 where there may be nothing. */
byte phase[5], round[5], asked[5];
byte busy;
chan lines = [5] of { byte };
chan c0 = [2] of { byte, byte };
chan c1 = [2] of { byte, byte };
chan c2 = [2] of { byte, byte };
chan c3 = [2] of { byte, byte };
chan c4 = [2] of { byte, byte };
chan b0 = [2] of { byte };
chan b1 = [2] of { byte };
chan b2 = [2] of { byte };
chan b3 = [2] of { byte };
chan b4 = [2] of { byte };

#define CLIENT(i, to, from) \
  :: d_step { phase[i] == 0 -> to!0, round[i]; phase[i] = 1 } \
  :: d_step { phase[i] == 2 -> to!1, round[i]; phase[i] = 0; round[i] = (round[i] + 1) % 3 } \
  :: d_step { len(to) > 0 -> \
       to?k, r; \
       if \
       :: k == 0 -> lines!i; asked[i] = r + 1 \
       :: k == 1 && busy == i + 1 -> busy = 0 \
       :: else \
       fi; \
       k = 0; r = 0 } \
  :: d_step { busy == 0 && lines?[i] -> lines?n; from!asked[i]; busy = i + 1; asked[i] = 0; n = 0 } \
  :: d_step { len(from) > 0 -> from?r; if :: r == round[i] + 1 -> phase[i] = 2 :: else fi; r = 0 }

active proctype System() {
  byte k, r, n;
  do
  CLIENT(0, c0, b0)
  CLIENT(1, c1, b1)
  CLIENT(2, c2, b2)
  CLIENT(3, c3, b3)
  CLIENT(4, c4, b4)
  od
}
