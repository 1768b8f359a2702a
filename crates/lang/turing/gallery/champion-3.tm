# A busy beaver of three states and two symbols: no other leaves more ones (Lin, Rado 1965).
table 0   1
A     1RB 1RZ
B     0RC 1RB
C     1LC 1LA
check halts on blank with 6 ones after 14 steps
