module proctor.test/go-net-http

go 1.23

require proctor.test/kit v0.0.0

replace proctor.test/kit => ../../../kits/go
