/* Peterson's mutual exclusion for two processes. */
bool flag[2];
bit turn;
byte inside;

active [2] proctype P()
{
	pid other = 1 - _pid;
	do
	:: flag[_pid] = true;
	   turn = other;
	   !flag[other] || turn == _pid;
	   inside++;
critical:  assert(inside == 1);
	   inside--;
	   flag[_pid] = false
	od
}

ltl exclusive { [] !(P[0]@critical && P[1]@critical) }
