module example.test/client

go 1.19

require proctor.test/proctor v0.0.0

replace proctor.test/proctor => ../
