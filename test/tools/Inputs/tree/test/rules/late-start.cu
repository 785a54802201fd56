// CHECK: warning: 'b' starts too late for its partner 'a' [late-start]
