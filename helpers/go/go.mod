module proctor.test/proctor

go 1.19
