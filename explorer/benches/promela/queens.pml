/* N queens, 9 or 12, one row after the other: the states and steps of models/queens-columns.ioa and models/queens-board.ioa. */
byte row[N];
byte n;

#define CLEAR(q, c) (q >= n || (row[q] != c && row[q] - c != n - q && c - row[q] != n - q))
#if N == 12
#define LATER(c) CLEAR(9, c) && CLEAR(10, c) && CLEAR(11, c)
#else
#define LATER(c) true
#endif
#define PUT(c) \
  :: d_step { n < N && CLEAR(0, c) && CLEAR(1, c) && CLEAR(2, c) && CLEAR(3, c) && CLEAR(4, c) && CLEAR(5, c) && \
       CLEAR(6, c) && CLEAR(7, c) && CLEAR(8, c) && LATER(c) -> row[n] = c; n = n + 1 }

active proctype System() {
  do
  PUT(1)
  PUT(2)
  PUT(3)
  PUT(4)
  PUT(5)
  PUT(6)
  PUT(7)
  PUT(8)
  PUT(9)
#if N == 12
  PUT(10)
  PUT(11)
  PUT(12)
#endif
  od
}
