// RUN: nax-opt %s --nax-outline-parallel --split-input-file --verify-diagnostics

// Chunks are run by the context.
llvm.func @context(%n: i64) {
  // expected-error @below {{'nax.parallel' op expects the function around it to take the context, a !llvm.ptr, as its first argument}}
  nax.parallel %i = 0 to %n {
    nax.done
  }
  llvm.return
}

// -----

// The pass runs at the very end.
func.func @early(%ctx: !llvm.ptr, %n: i64) {
  // expected-error @below {{'nax.parallel' op expects to stand in an llvm.func}}
  nax.parallel %i = 0 to %n {
    nax.done
  }
  return
}

// -----

llvm.func @types(%ctx: !llvm.ptr, %n: i64) {
  %m = builtin.unrealized_conversion_cast %n : i64 to index
  // expected-error @below {{'nax.parallel' op expects LLVM types only, but its region uses a value of 'index'}}
  nax.parallel %i = 0 to %n {
    %0 = builtin.unrealized_conversion_cast %m : index to i64
    nax.done
  }
  llvm.return
}

// -----

llvm.func @beside(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
  nax.phases {
    // expected-error @below {{'llvm.store' op expects to stand in a nax.parallel}}
    llvm.store %n, %p : i64, !llvm.ptr
    nax.done
  }
  llvm.return
}

// -----

// The numbers of another loop would come between those of its rounds.
llvm.func @rounds(%ctx: !llvm.ptr, %n: i64) {
  nax.phases {
    nax.parallel %i = 0 to %n {
      nax.done
    }
    // expected-error @below {{'nax.parallel' op expects a phase of its own for rounds}}
    nax.parallel %i = 0 to %n rounds %n {
      nax.done
    }
    nax.done
  }
  llvm.return
}
