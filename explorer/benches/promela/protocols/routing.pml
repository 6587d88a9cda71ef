/* Routing by paths, as in models/protocols/routing.ioa: a path is a number. */
/* a path is 1 + its routers before the origin, the head in the lowest two bits; 0 is nil. o=0 a=1 b=2 c=3 */
bit up; byte changes; byte known[16], best[4]; /* known[4*r+s]: what r knows of s */
chan oa=[2] of {byte}; chan ob=[2] of {byte}; chan oc=[2] of {byte};
chan ab=[2] of {byte}; chan ac=[2] of {byte}; chan ba=[2] of {byte}; chan bc=[2] of {byte}; chan ca=[2] of {byte}; chan cb=[2] of {byte};
#define IN(r,p) (((p)&3)==r || (((p)>>2)&3)==r || (((p)>>4)&3)==r)
#define K(r,s) known[4*(r)+(s)]
#define USABLE(r,s) (K(r,s)!=0 && !IN(r,K(r,s)-1))
#define LEN2(p) ((p)>0 && (p)<4)
#define NEXT(r) (r==1 -> 2 : (r==2 -> 3 : 1))
#define RANK(r,s) (!USABLE(r,s) -> 0 : ((s==NEXT(r) && LEN2(K(r,s)-1)) -> 3 : (s==0 -> 2 : 1)))
#define RECV(r,s,c) :: d_step { len(c)>0 -> c?m; K(s,r)=m; m=0 }
#define CHOOSE(r,s,p,q,cp,cq) :: d_step { USABLE(r,s) && RANK(r,p)<RANK(r,s) && RANK(r,q)<RANK(r,s) && best[r]!=1+((K(r,s)-1)<<2)+r && len(cp)<1 && len(cq)<1 -> \
   best[r]=1+((K(r,s)-1)<<2)+r; cp!best[r]; cq!best[r] }
#define ROUTER(r,p,q,cp,cq) CHOOSE(r,0,p,q,cp,cq) CHOOSE(r,p,0,q,cp,cq) CHOOSE(r,q,0,p,cp,cq)
active proctype System() { byte m; do
 :: d_step { !up && changes<3 && len(oa)<2 && len(ob)<2 && len(oc)<2 -> up=1; changes++; oa!1; ob!1; oc!1 }
 :: d_step { up && changes<3 && len(oa)<2 && len(ob)<2 && len(oc)<2 -> up=0; changes++; oa!0; ob!0; oc!0 }
 RECV(0,1,oa) RECV(0,2,ob) RECV(0,3,oc) RECV(1,2,ab) RECV(1,3,ac) RECV(2,1,ba) RECV(2,3,bc) RECV(3,1,ca) RECV(3,2,cb)
 ROUTER(1,2,3,ab,ac) ROUTER(2,1,3,ba,bc) ROUTER(3,1,2,ca,cb)
 od }
