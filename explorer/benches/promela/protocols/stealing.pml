/* Workers that steal tasks, as in models/protocols/stealing.ioa. */
/* a task is 2*depth+side+1 */
bit begun; int deque[4]; byte current[4]; byte pleading; byte done[2];
chan b0=[7] of {byte}; chan b1=[7] of {byte}; chan b2=[7] of {byte}; chan b3=[7] of {byte};
#define BEGIN(w) :: d_step { !begun -> begun=1; current[w]=1 }
#define FORK(w) :: d_step { current[w]!=0 && current[w]<5 -> m=((current[w]-1)/2+1)*2+1; deque[w]=(deque[w]<<3)|(m+1); current[w]=m; m=0 }
#define RUN(w) :: d_step { current[w]>=5 -> done[current[w]-5]++; current[w]=0 }
#define POP(w) :: d_step { current[w]==0 && deque[w]!=0 -> current[w]=deque[w]&7; deque[w]=deque[w]>>3 }
#define PLEAD(w,v,b) :: d_step { current[w]==0 && deque[w]==0 && !((pleading>>w)&1) -> pleading=pleading|(1<<w); b!w }
#define SENDTO(v,x) if :: v==0 -> b0!(x) :: v==1 -> b1!(x) :: v==2 -> b2!(x) :: v==3 -> b3!(x) fi
#define ANSWER(w,b) :: d_step { len(b)>0 -> b?m; \
  if :: m<16 -> \
     if :: deque[w]==0 -> SENDTO(m,32+w) \
     :: deque[w]>0 && deque[w]<8 -> SENDTO(m,16+deque[w]); deque[w]=0 \
     :: deque[w]>=8 && deque[w]<64 -> SENDTO(m,16+(deque[w]>>3)); deque[w]=deque[w]&7 \
     :: deque[w]>=64 && deque[w]<512 -> SENDTO(m,16+(deque[w]>>6)); deque[w]=deque[w]&63 \
     :: deque[w]>=512 && deque[w]<4096 -> SENDTO(m,16+(deque[w]>>9)); deque[w]=deque[w]&511 \
     fi \
  :: m>=16 && m<32 -> pleading=pleading&~(1<<w); deque[w]=(deque[w]<<3)|(m-16) \
  :: else -> pleading=pleading&~(1<<w) \
  fi; m=0 }
#define W(w,b) BEGIN(w) FORK(w) RUN(w) POP(w) ANSWER(w,b)
active proctype System() { byte m;
 do
 W(0,b0) W(1,b1) W(2,b2) W(3,b3)
 PLEAD(0,1,b1) PLEAD(0,2,b2) PLEAD(0,3,b3) PLEAD(1,0,b0) PLEAD(1,2,b2) PLEAD(1,3,b3)
 PLEAD(2,0,b0) PLEAD(2,1,b1) PLEAD(2,3,b3) PLEAD(3,0,b0) PLEAD(3,1,b1) PLEAD(3,2,b2)
 od }
