/* Three nodes that subscribe to what the others publish: the states and steps of models/messages/pubsub.ioa. */
byte subscribed;
byte from[3], item[3];
chan q0 = [2] of { byte, byte };
chan q1 = [2] of { byte, byte };
chan q2 = [2] of { byte, byte };

#define ON(n) ((subscribed >> n) & 1)
#define ROOM (!ON(0) || len(q0) < 2) && (!ON(1) || len(q1) < 2) && (!ON(2) || len(q2) < 2)
#define PUBLISH(n, i, j, qj, k, qk) \
  :: d_step { ROOM -> if :: ON(j) -> qj!n, i :: else fi; if :: ON(k) -> qk!n, i :: else fi }
#define FORWARD(own, j, qj) \
  :: d_step { len(own) > 0 && ON(j) && len(qj) < 2 -> own?f, t; qj!f, t; f = 0; t = 0 }
#define NODE(n, own, j, qj, k, qk) \
  :: d_step { !ON(n) -> subscribed = subscribed | (1 << n) } \
  :: d_step { ON(n) && len(own) == 0 -> subscribed = subscribed & (7 - (1 << n)); from[n] = 0; item[n] = 0 } \
  PUBLISH(n, 0, j, qj, k, qk) \
  PUBLISH(n, 1, j, qj, k, qk) \
  :: d_step { len(own) > 0 -> own?f, t; from[n] = f + 1; item[n] = t; f = 0; t = 0 } \
  FORWARD(own, j, qj) \
  FORWARD(own, k, qk)

active proctype System() {
  byte f, t;
  do
  NODE(0, q0, 1, q1, 2, q2)
  NODE(1, q1, 0, q0, 2, q2)
  NODE(2, q2, 0, q0, 1, q1)
  od
}
