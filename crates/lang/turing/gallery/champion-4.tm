# The busy beaver of four states and two symbols (Brady 1983).
1RB1LB_1LA0LC_1RZ1LD_1RD0RA
check halts on blank with 13 ones after 107 steps
