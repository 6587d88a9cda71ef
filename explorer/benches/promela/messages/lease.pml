/* A server lends a register to readers or to one writer, of four nodes: the states and steps of models/messages/lease.ioa. The holder
 * and what a node sees are stored plus 1 where there may be nothing. */
byte holder, readers, value, exclusive;
byte phase[4], view[4];
chan inbox = [4] of { byte, byte, byte };
chan r0 = [2] of { byte, byte };
chan r1 = [2] of { byte, byte };
chan r2 = [2] of { byte, byte };
chan r3 = [2] of { byte, byte };

#define GRANT 0
#define DENY 1
#define REPLY(tag, what) \
  if \
  :: f == 0 -> r0!tag, what \
  :: f == 1 -> r1!tag, what \
  :: f == 2 -> r2!tag, what \
  :: f == 3 -> r3!tag, what \
  fi
#define ALONE (255 - (1 << f))
#define RELEASE(i, w) :: d_step { phase[i] == 3 && len(inbox) < 4 -> inbox!i, 1, w; phase[i] = 0; view[i] = 0 }

#define NODE(i, replies) \
  :: d_step { phase[i] == 0 && len(inbox) < 4 -> inbox!i, 0, 0; phase[i] = 1 } \
  :: d_step { phase[i] == 0 && len(inbox) < 4 -> inbox!i, 0, 1; phase[i] = 1; exclusive = exclusive | (1 << i) } \
  :: d_step { len(replies) > 0 -> \
       replies?t, v; \
       if \
       :: t == GRANT -> view[i] = v + 1; phase[i] = 2 + ((exclusive >> i) & 1) \
       :: else -> phase[i] = 0 \
       fi; \
       exclusive = exclusive & (255 - (1 << i)); \
       t = 0; v = 0 } \
  :: d_step { (phase[i] == 3 || phase[i] == 2) && len(inbox) < 4 -> inbox!i, 1, 0; phase[i] = 0; view[i] = 0 } \
  RELEASE(i, 1) \
  RELEASE(i, 2) \
  RELEASE(i, 3)

active proctype System() {
  byte f, t, v;
  do
  :: d_step { len(inbox) > 0 ->
       inbox?f, t, v;
       if
       :: t == 0 && holder != 0 -> REPLY(DENY, holder)
       :: t == 0 && holder == 0 && v == 0 -> readers = readers | (1 << f); REPLY(GRANT, value)
       :: t == 0 && holder == 0 && v == 1 && readers != 0 -> REPLY(DENY, 0)
       :: t == 0 && holder == 0 && v == 1 && readers == 0 -> holder = f + 1; REPLY(GRANT, value)
       :: t == 1 && holder == f + 1 -> holder = 0; if :: v != 0 -> value = v - 1 :: else fi
       :: t == 1 && holder != f + 1 -> readers = readers & ALONE
       fi;
       f = 0; t = 0; v = 0 }
  NODE(0, r0)
  NODE(1, r1)
  NODE(2, r2)
  NODE(3, r3)
  od
}
