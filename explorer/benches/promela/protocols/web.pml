/* Browsers and a server, as in models/protocols/web.ioa. */
byte number[2], wish[2], page[2]; byte counter, due; byte an[2], av[2];
chan u0=[2] of {byte}; chan u1=[2] of {byte}; chan d0=[1] of {byte,byte,byte}; chan d1=[1] of {byte,byte,byte};
#define CL(c,u,d) \
 :: d_step { wish[c]==0 && number[c]<3 -> wish[c]=1 } \
 :: d_step { wish[c]==0 && number[c]<3 -> wish[c]=2 } \
 :: d_step { wish[c]!=0 -> if :: len(u)<2 -> u!(2*number[c]+wish[c]-1) :: else fi } \
 :: d_step { len(u)>0 -> u?x; x=0 } \
 :: d_step { len(u)>0 -> u?x; \
     if :: an[c]==x/2+1 -> due=due|(1<<c) \
     :: an[c]<x/2+1 -> if :: x%2==1 -> counter=(counter+1)%4 :: else fi; an[c]=x/2+1; av[c]=counter; due=due|(1<<c) \
     :: else fi; x=0 } \
 :: d_step { (due>>c)&1 -> due=due&~(1<<c); if :: len(d)<1 -> d!an[c],0,av[c] :: else fi } \
 :: d_step { (due>>c)&1 -> due=due&~(1<<c); if :: len(d)<1 -> d!an[c],1,0 :: else fi } \
 :: d_step { len(d)>0 -> d?x,y,z; if :: wish[c]!=0 && x==number[c]+1 && y==0 -> wish[c]=0; page[c]=z+1; number[c]++ :: else fi; x=0; y=0; z=0 }
active proctype System() { byte x,y,z;
 do
 CL(0,u0,d0) CL(1,u1,d1)
 od }
