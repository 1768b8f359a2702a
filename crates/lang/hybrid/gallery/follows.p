% Modes of a device: what follows from how they are joined.
tff(semantics, logic, $$hybrid == [ $modalities == $modal_system_K ] ).

% From off, only idle comes next; hot is true nowhere but in the mode running.
tff(start, axiom, {$$shift(#off)} @ ({$box(#next)} @ ({$$nominal} @ (idle)))).
tff(heat, axiom, hot => {$$nominal} @ (running)).
tff(apart, axiom, {$$shift(#idle)} @ (~ {$$nominal} @ (running))).

tff(cold, conjecture, {$$shift(#off)} @ ({$box(#next)} @ (~ hot))).
tff(goes_on, conjecture, {$$shift(#off)} @ (<#next> @ ($true))).
