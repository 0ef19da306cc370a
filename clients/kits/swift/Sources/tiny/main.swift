Kit.serve(Tiny.self)
