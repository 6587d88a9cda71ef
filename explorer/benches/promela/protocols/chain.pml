/* Chain replication, 4 replicas: states and steps of models/protocols/chain.ioa. */
#ifndef K
#define K 6
#endif
byte asked, answered;
byte history[24], size[4], sent[4], confirmed[4], told[4];
chan l0 = [K] of { byte, byte };
chan l1 = [K] of { byte, byte };
chan l2 = [K] of { byte, byte };
chan b1 = [K] of { byte };
chan b2 = [K] of { byte };
chan b3 = [K] of { byte };
#define WRITE(v) :: d_step { asked < K -> asked++; history[size[0]] = v; size[0]++ }
#define FORWARD(n, l) :: d_step { sent[n] < size[n] -> l!sent[n],history[K*n+sent[n]]; sent[n]++ }
#define ARRIVE(n, l) :: d_step { len(l) > 0 -> l?k,v; \
   if :: k == size[n] -> history[K*n+size[n]] = v; size[n]++ :: else fi; \
   if :: n == 3 -> confirmed[n] = size[n] :: else fi; k = 0; v = 0 }
#define ACK(n, b) :: d_step { told[n] < confirmed[n] -> told[n]++; b!told[n]; if :: n == 3 -> answered = told[n] :: else fi }
#define CONFIRM(n, b) :: d_step { len(b) > 0 -> b?k; confirmed[n] = k; k = 0 }
active proctype System() {
  byte k, v;
  do
  WRITE(0)
  WRITE(1)
  FORWARD(0, l0) FORWARD(1, l1) FORWARD(2, l2)
  ARRIVE(1, l0) ARRIVE(2, l1) ARRIVE(3, l2)
  ACK(1, b1) ACK(2, b2) ACK(3, b3)
  CONFIRM(0, b1) CONFIRM(1, b2) CONFIRM(2, b3)
  od
}
