//===- Abi.cpp - what an object shows to C --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An exported function packs its arguments and hands them to naxrt_invoke,
// which checks them against the description and calls back into the body. The
// structures are those of runtime/include/nax/model_desc.h: int64_t and
// pointers only, so a literal struct type has their layout. The form for GPUs
// has the same with `cuda` in the names, and what nax/cuda_desc.h adds.
//
//===----------------------------------------------------------------------===//

#include "AbiEmitter.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace llvm;

namespace nax {

Function *AbiEmitter::define(Type *result, ArrayRef<Type *> params,
                             const Twine &name, bool exported) {
  auto *f = Function::Create(FunctionType::get(result, params, false),
                             exported ? GlobalValue::ExternalLinkage
                                      : GlobalValue::InternalLinkage,
                             name, module);
  BasicBlock::Create(context, "", f);
  return f;
}

Function *AbiEmitter::hidden(Type *result, ArrayRef<Type *> params,
                             const Twine &name) {
  FunctionCallee callee = module.getOrInsertFunction(
      name.str(), FunctionType::get(result, params, false));
  auto *f = cast<Function>(callee.getCallee());
  f->setVisibility(GlobalValue::HiddenVisibility);
  return f;
}

// No name of a model's own functions has so many parts.
Function *AbiEmitter::workspaceOf(const ModelEntry &entry, StringRef level) {
  return hidden(i64, {ptr},
                "nax." + info.name + "." + entry.name + ".workspace." + level);
}

/// void (context, params, dims, buffers, workspace)
Function *AbiEmitter::bodyOf(const ModelEntry &entry, StringRef level) {
  return hidden(Type::getVoidTy(context), {ptr, ptr, ptr, ptr, ptr},
                "nax." + info.name + "." + entry.name + ".body." + level);
}

void AbiEmitter::defineWorkspace(const ModelEntry &entry, StringRef level) {
  Function *f = workspaceOf(entry, level);
  IRBuilder<> b(BasicBlock::Create(context, "", f));
  SmallVector<Value *> sizes;
  for (size_t i = 0; i < entry.dims.size(); ++i)
    sizes.push_back(
        b.CreateLoad(i64, b.CreateConstGEP1_64(i64, f->getArg(0), i)));
  b.CreateRet(b.CreateCall(lowered(entry.name + ".workspace." + level), sizes));
}

void AbiEmitter::defineBody(const ModelEntry &entry, StringRef level) {
  Function *f = bodyOf(entry, level);
  IRBuilder<> b(BasicBlock::Create(context, "", f));
  SmallVector<Value *> args{f->getArg(0)};
  pushBytes(b, args, f->getArg(1));
  for (size_t i = 0; i < entry.dims.size(); ++i)
    args.push_back(
        b.CreateLoad(i64, b.CreateConstGEP1_64(i64, f->getArg(2), i)));
  for (size_t i = 0; i < entry.buffers.size(); ++i)
    pushBytes(b, args,
              b.CreateLoad(ptr, b.CreateConstGEP1_64(ptr, f->getArg(3), i)));
  pushBytes(b, args, f->getArg(4));
  b.CreateCall(lowered(entry.name + ".body." + level), args);
  b.CreateRetVoid();
}

/// Functions are called after their level, so that a profile tells which one
/// ran. Bodies of blocks stay functions: the code must not grow with the depth.
void AbiEmitter::defineCode(StringRef level) {
  for (Function &f : module)
    if (!f.isDeclaration()) {
      f.setLinkage(GlobalValue::InternalLinkage);
      if (f.getName().ends_with(".body"))
        f.addFnAttr(Attribute::NoInline);
      f.setName(f.getName() + "." + level);
    }
  for (GlobalVariable &g : module.globals())
    if (!g.isDeclaration())
      g.setLinkage(GlobalValue::PrivateLinkage);
  for (const ModelEntry &entry : info.entries) {
    defineWorkspace(entry, level);
    defineBody(entry, level);
  }
}

/// nax_status NAME_ENTRY(context, [params,] [cache,] sizes..., buffers...,
/// workspace, bytes) and size_t NAME_ENTRY_workspace(sizes...). The runtime
/// fills in what the cache gives. On a GPU: NAME_ENTRY_cuda(context, cuda,
/// [params,] [cache,] stream, sizes..., ...), where an address on the GPU is
/// a structure of one 64-bit number, which is passed as that number is.
void AbiEmitter::exportEntry(const ModelEntry &entry, size_t at,
                             GlobalVariable *desc) {
  Type *i32 = Type::getInt32Ty(context);
  bool hasParams = !info.params.empty();
  SmallVector<Type *> types(1 + hasParams + entry.hasCache() + (cuda ? 2 : 0),
                            ptr);
  for (int64_t axis : entry.dims)
    if (!info.axes[axis].isSlots())
      types.push_back(i64);
  for (const ModelBuffer &b : entry.buffers)
    if (!b.isCache())
      types.push_back(b.isSeed() || isRemote(b) ? static_cast<Type *>(i64)
                                                : ptr);
  types.append({cuda ? static_cast<Type *>(i64) : ptr, i64});
  Function *f = define(i32, types, function(entry), true);
  IRBuilder<> b(&f->getEntryBlock());
  auto next = f->arg_begin();
  SmallVector<Value *> head{&*next++, desc, number(at)};
  if (cuda)
    head.insert(head.begin() + 1, &*next++);
  head.push_back(hasParams ? static_cast<Value *>(&*next++) : null());
  head.push_back(entry.hasCache() ? static_cast<Value *>(&*next++) : null());
  if (cuda)
    head.push_back(&*next++);
  auto *dims =
      b.CreateAlloca(i64, number(std::max<size_t>(1, entry.dims.size())));
  for (auto [i, axis] : enumerate(entry.dims))
    if (!info.axes[axis].isSlots())
      b.CreateStore(&*next++, b.CreateConstGEP1_64(i64, dims, i));
  auto *buffers =
      b.CreateAlloca(ptr, number(std::max<size_t>(1, entry.buffers.size())));
  for (auto [i, buffer] : enumerate(entry.buffers)) {
    if (buffer.isCache())
      continue;
    Value *arg = &*next++;
    if (buffer.isSeed()) {
      auto *seed = b.CreateAlloca(i64);
      b.CreateStore(arg, seed);
      arg = seed;
    }
    b.CreateStore(arg, b.CreateConstGEP1_64(ptr, buffers, i));
  }
  Value *workspace = &*next++, *bytes = &*next;
  if (cuda)
    workspace = b.CreateIntToPtr(workspace, ptr);
  head.append({dims, buffers, workspace, bytes});
  SmallVector<Type *> invokeTypes;
  for (Value *value : head)
    invokeTypes.push_back(value->getType());
  FunctionCallee invoke = runtime(i32, invokeTypes, onRuntime("invoke"));
  b.CreateRet(b.CreateCall(invoke, head));
  exportWorkspace(entry, at, desc);
}

/// No buffer in the workspace grows with the capacity, so that any will do. On
/// a GPU the runtime adds room for what the host gives.
void AbiEmitter::exportWorkspace(const ModelEntry &entry, size_t at,
                                 GlobalVariable *desc) {
  auto isSlots = [&](int64_t axis) { return info.axes[axis].isSlots(); };
  size_t given = entry.dims.size() - count_if(entry.dims, isSlots);
  Function *size = define(i64, SmallVector<Type *>(given, i64),
                          function(entry) + "_workspace", true);
  IRBuilder<> b(&size->getEntryBlock());
  SmallVector<Value *> sizes;
  auto next = size->arg_begin();
  for (int64_t axis : entry.dims)
    sizes.push_back(isSlots(axis) ? number(0) : static_cast<Value *>(&*next++));
  auto *dims = b.CreateAlloca(i64, number(std::max<size_t>(1, sizes.size())));
  for (auto [i, value] : enumerate(sizes))
    b.CreateStore(value, b.CreateConstGEP1_64(i64, dims, i));
  b.CreateRet(
      b.CreateCall(runtime(i64, {ptr, i64, ptr}, onRuntime("workspace")),
                   {desc, number(at), dims}));
}

/// NAME_ENTRY_cache_create(context, sizes..., out), and the runtime's functions
/// for rows under the names that the header declares with the cache's type.
void AbiEmitter::exportCache(const ModelEntry &step, GlobalVariable *desc) {
  std::string prefix =
      info.name + "_" + step.of + (cuda ? "_cuda_cache_" : "_cache_");
  Type *i32 = Type::getInt32Ty(context), *none = Type::getVoidTy(context);
  SmallVector<int64_t, 4> dims = info.cacheDims(step);
  size_t first = cuda ? 2 : 1; // of the sizes
  SmallVector<Type *> types(first, ptr);
  types.append(dims.size(), i64);
  types.push_back(ptr);
  Function *create = define(i32, types, prefix + "create", true);
  IRBuilder<> b(&create->getEntryBlock());
  auto *sizes = b.CreateAlloca(i64, number(dims.size()));
  for (size_t i = 0; i < dims.size(); ++i)
    b.CreateStore(create->getArg(first + i),
                  b.CreateConstGEP1_64(i64, sizes, i));
  SmallVector<Value *> args{create->getArg(0), desc, number(step.step), sizes,
                            create->getArg(first + dims.size())};
  if (cuda)
    args.insert(args.begin() + 1, create->getArg(1));
  SmallVector<Type *> makeTypes;
  for (Value *arg : args)
    makeTypes.push_back(arg->getType());
  b.CreateRet(
      b.CreateCall(runtime(i32, makeTypes, onRuntime("cache_create")), args));

  auto forward = [&](StringRef name, Type *result, ArrayRef<Type *> params) {
    Function *f = define(result, params, prefix + name, true);
    IRBuilder<> fb(&f->getEntryBlock());
    SmallVector<Value *> args;
    for (Argument &arg : f->args())
      args.push_back(&arg);
    auto *call = fb.CreateCall(
        runtime(result, params, ("nax_cache_" + name).str()), args);
    result->isVoidTy() ? fb.CreateRetVoid() : fb.CreateRet(call);
  };
  forward("destroy", none, {ptr});
  for (StringRef name : {"rows", "capacity", "bytes"})
    forward(name, i64, {ptr});
  forward("length", i64, {ptr, i64});
  forward("reset", i32, {ptr, ptr, i64});
  forward("truncate", i32, {ptr, ptr, i64, i64});
  forward("copy", i32, {ptr, ptr, i64, ptr, i64});
  for (StringRef name : {"save", "restore"})
    forward(name, i32, {ptr, ptr, i64, ptr});
}

/// NAME_params_open(context, path, out), on a GPU
/// NAME_cuda_params_open(context, cuda, path, out), and ..._close(params). For
/// CPUs also NAME_params_pack(context, path_in, path_out) and
/// NAME_params_verify(context, params).
void AbiEmitter::exportParams(GlobalVariable *desc) {
  Type *i32 = Type::getInt32Ty(context), *none = Type::getVoidTy(context);
  SmallVector<Type *> types(cuda ? 4 : 3, ptr);
  Function *open = define(i32, types, prefix() + "_params_open", true);
  SmallVector<Value *> args;
  for (Argument &arg : open->args())
    args.push_back(&arg);
  args.insert(args.end() - 2, desc);
  IRBuilder<> b(&open->getEntryBlock());
  b.CreateRet(b.CreateCall(runtime(i32, SmallVector<Type *>(args.size(), ptr),
                                   onRuntime("params_open")),
                           args));
  Function *close = define(none, {ptr}, prefix() + "_params_close", true);
  IRBuilder<> cb(&close->getEntryBlock());
  cb.CreateCall(runtime(none, {ptr}, onRuntime("params_close")),
                {close->getArg(0)});
  cb.CreateRetVoid();
  if (cuda)
    return;
  Function *pack =
      define(i32, {ptr, ptr, ptr}, prefix() + "_params_pack", true);
  IRBuilder<> pb(&pack->getEntryBlock());
  pb.CreateRet(pb.CreateCall(
      runtime(i32, {ptr, ptr, ptr, ptr}, onRuntime("params_pack")),
      {pack->getArg(0), desc, pack->getArg(1), pack->getArg(2)}));
  Function *verify = define(i32, {ptr, ptr}, prefix() + "_params_verify", true);
  IRBuilder<> vb(&verify->getEntryBlock());
  vb.CreateRet(
      vb.CreateCall(runtime(i32, {ptr, ptr}, onRuntime("params_verify")),
                    {verify->getArg(0), verify->getArg(1)}));
}

void AbiEmitter::run(ArrayRef<LevelAbi> levels) {
  SmallVector<Constant *> axes, params, names, entries, levelRecords;
  for (const ModelAxis &axis : info.axes)
    axes.push_back(record({text(axis.name), number(axis.size),
                           number(axis.limit), textOrNull(axis.limitReason),
                           number(axis.slotsOf), number(axis.ring)}));
  for (const ModelTensor &param : info.params)
    params.push_back(record({text(param.name), number(int64_t(param.dtype)),
                             number(param.axes.size()), numbers(param.axes),
                             text(param.text)}));
  for (const ModelName &name : info.names)
    names.push_back(record({textOrNull(name.table), textOrNull(name.param),
                            textOrNull(name.file), textOrNull(name.axes),
                            textOrNull(name.pairing)}));
  for (const ModelEntry &e : info.entries)
    entries.push_back(entry(e));
  for (const LevelAbi &l : levels)
    levelRecords.push_back(level(l));

  constexpr int64_t abiVersion = 5;
  SmallVector<Constant *> fields(
      {number(abiVersion), text(info.name), number(axes.size()), array(axes),
       number(params.size()), array(params), number(names.size()), array(names),
       number(entries.size()), array(entries), number(levels.size()),
       array(levelRecords)});
  if (cuda)
    describeKernels(fields);
  Constant *model = record(fields);
  auto *desc = new GlobalVariable(module, model->getType(), /*isConstant=*/true,
                                  GlobalValue::ExternalLinkage, model,
                                  prefix() + "_desc");
  // Referring to the runtime's version makes a link with another one fail.
  auto *version =
      new GlobalVariable(module, i64, /*isConstant=*/true,
                         GlobalValue::ExternalLinkage, nullptr, "naxrt_abi_5");
  auto *keep = new GlobalVariable(module, ptr, /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, version, "abi");
  auto *usedType = ArrayType::get(ptr, 1);
  auto *used =
      new GlobalVariable(module, usedType, false, GlobalValue::AppendingLinkage,
                         ConstantArray::get(usedType, {keep}), "llvm.used");
  used->setSection("llvm.metadata");

  for (auto [i, e] : enumerate(info.entries)) {
    exportEntry(e, i, desc);
    if (e.kind == EntryKind::Step)
      exportCache(e, desc);
  }
  if (!info.params.empty())
    exportParams(desc);
}

void emitLevelAbi(Module &module, const ModelInfo &info, StringRef level) {
  AbiEmitter(module, info, /*cuda=*/nullptr).defineCode(level);
}

void emitAbi(Module &module, const ModelInfo &info, ArrayRef<LevelAbi> levels,
             const CudaCode *cuda) {
  AbiEmitter(module, info, cuda).run(levels);
}

} // namespace nax
