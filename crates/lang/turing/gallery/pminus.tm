# The difference of two numbers; where it would be negative the machine runs for ever.
machine pminus
<1,1,R,1> <1,B,R,2> <2,0,R,2> <2,1,W(0),3> <3,0,L,3> <3,B,L,4>
<4,B,L,4> <4,1,W(B),5> <5,B,R,5> <5,0,R,2>

check halts on 2, 1 with 1 ones after 22 steps in state 2
check diverges on 1, 2
check difference: computes f(m, n) = m - n if m >= n up to 11
