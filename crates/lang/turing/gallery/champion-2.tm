# The busy beaver of two states and two symbols (Rado 1962).
1RB1LB_1LA1RZ
check halts on blank with 4 ones after 6 steps
