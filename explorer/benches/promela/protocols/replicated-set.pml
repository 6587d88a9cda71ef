/* A replicated set, as in models/protocols/replicated-set.ioa. */
#ifndef K
#define K 2
#endif
#ifndef R
#define R 1
#endif
#define ERASE 4096
short live[3]; byte adds[3]; byte removes;
chan c01=[7] of {short}; chan c02=[7] of {short}; chan c10=[7] of {short};
chan c12=[7] of {short}; chan c20=[7] of {short}; chan c21=[7] of {short};
/* bit of element e, by r, number n (0-based): e*6 + r*2 + n */
#define ADD(r,e,a,b) :: d_step { adds[r]<K -> m=1<<(e*6+r*2+adds[r]); adds[r]++; live[r]=live[r]|m; a!m; b!m; m=0 }
#define REM(r,e,a,b) :: d_step { (live[r]&(63<<(6*e)))!=0 && removes<R -> removes++; m=live[r]&(63<<(6*e)); live[r]=live[r]&~m; a!(m|ERASE); b!(m|ERASE); m=0 }
#define DEL(s,c) :: d_step { len(c)>0 -> c?m; if :: m&ERASE -> live[s]=live[s]&~m :: else -> live[s]=live[s]|m fi; m=0 }
active proctype System() { short m;
 do
 ADD(0,0,c01,c02) ADD(0,1,c01,c02) ADD(1,0,c10,c12) ADD(1,1,c10,c12) ADD(2,0,c20,c21) ADD(2,1,c20,c21)
 REM(0,0,c01,c02) REM(0,1,c01,c02) REM(1,0,c10,c12) REM(1,1,c10,c12) REM(2,0,c20,c21) REM(2,1,c20,c21)
 DEL(1,c01) DEL(2,c02) DEL(0,c10) DEL(2,c12) DEL(0,c20) DEL(1,c21)
 od }
