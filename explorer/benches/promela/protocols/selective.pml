/* Selective repeat: states and steps of models/protocols/selective.ioa. Bitmaps are masks; the window has a length besides. */
byte base, size, window, expected, buffer;
bit due;
chan data = [4] of { byte };
chan acks = [3] of { byte, byte };
#define RESEND(k) :: d_step { k < size && !((window >> k) & 1) && len(data) < 4 -> data!((base + k) % 6) }
active proctype System() {
  byte m, b;
  do
  :: d_step { size < 3 && len(data) < 4 -> data!((base + size) % 6); size++ }
  RESEND(0)
  RESEND(1)
  RESEND(2)
  :: d_step { len(data) > 0 -> data?m; m = (m + 6 - expected) % 6; if :: m < 3 -> buffer = buffer | (1 << m) :: else fi; due = 1; m = 0 }
  :: d_step { buffer & 1 -> expected = (expected + 1) % 6; buffer = buffer >> 1 }
  :: d_step { due && !(buffer & 1) && len(acks) < 3 -> due = 0; acks!expected,buffer }
  :: d_step { len(acks) > 0 -> acks?m,b;
       if :: (m + 6 - base) % 6 <= size -> 
             window = window >> ((m + 6 - base) % 6); size = size - (m + 6 - base) % 6; base = m;
             window = (window | b) & ((1 << size) - 1)
          :: else fi; m = 0; b = 0 }
  :: d_step { len(data) > 0 -> data?m; m = 0 }
  :: d_step { len(acks) > 0 -> acks?m,b; m = 0; b = 0 }
  od
}
