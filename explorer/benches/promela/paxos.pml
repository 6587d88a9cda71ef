/* Lamport's Paxos with 3 acceptors, 2 values and B ballots: the states and steps of
 * case-studies/lamport-paxos/paxos.ioa.
 *
 * A ballot b is stored as b + 1, a value v as v + 1, with 0 for none. A promise is 0 where none was sent, 1 where it
 * reports no vote, else 2 + 2 * ballot + value: so the report of the higher ballot is the greater number.
 */
#ifndef B
#define B 3
#endif

byte maxBal[3];
byte maxVBal[3];
byte maxVal[3];
byte promise[3 * B];
byte sent2b[3];
byte sent2a;
byte sent1a;

#define VOTE(b, v) (1 << (2 * (b) + (v)))
#define REPORT(a) (maxVBal[a] == 0 -> 1 : 2 * maxVBal[a] + maxVal[a] - 1)
#define GREATER(x, y) (x > y -> x : y)
/* What two promises allow. All quorums have two acceptors or contain two that allow as much. */
#define ALLOW(x, y, v) (x && y && (GREATER(x, y) == 1 || GREATER(x, y) % 2 == v))
#define P(a, b) promise[3 * (b) + (a)]
#define ALLOWED(b, v) (ALLOW(P(0, b), P(1, b), v) || ALLOW(P(0, b), P(2, b), v) || ALLOW(P(1, b), P(2, b), v))

#define PHASE1B(a, b) \
  :: d_step { (sent1a >> b) & 1 && maxBal[a] < b + 1 -> P(a, b) = REPORT(a); maxBal[a] = b + 1 }
#define PHASE2A(b, v) \
  :: d_step { !(sent2a & (VOTE(b, 0) | VOTE(b, 1))) && ALLOWED(b, v) -> sent2a = sent2a | VOTE(b, v) }
#define PHASE2B(a, b, v) \
  :: d_step { (sent2a & VOTE(b, v)) && maxBal[a] <= b + 1 -> \
       maxBal[a] = b + 1; maxVBal[a] = b + 1; maxVal[a] = v + 1; sent2b[a] = sent2b[a] | VOTE(b, v) }

#define BALLOT(b) \
  :: d_step { sent1a = sent1a | (1 << b) } \
  PHASE1B(0, b) PHASE1B(1, b) PHASE1B(2, b) \
  PHASE2A(b, 0) PHASE2A(b, 1) \
  PHASE2B(0, b, 0) PHASE2B(1, b, 0) PHASE2B(2, b, 0) \
  PHASE2B(0, b, 1) PHASE2B(1, b, 1) PHASE2B(2, b, 1)

active proctype System() {
  do
  BALLOT(0)
  BALLOT(1)
#if B > 2
  BALLOT(2)
#endif
#if B > 3
  BALLOT(3)
#endif
  od
}
