/* Philosophers take the fork at their left, then the one at their right: all can get stuck. */
#ifndef N
#define N 3
#endif

mtype = { take, give };
chan fork[N] = [0] of { mtype };
byte eating;

active [N] proctype Philosopher()
{
end:	do
	:: fork[_pid]!take;
	   fork[(_pid + 1) % N]!take;
	   eating++;
	   assert(eating <= N / 2);
	   eating--;
	   fork[(_pid + 1) % N]!give;
	   fork[_pid]!give
	od
}

active [N] proctype Fork()
{
	byte mine = _pid - N;
end:	do
	:: fork[mine]?take; fork[mine]?give
	od
}
