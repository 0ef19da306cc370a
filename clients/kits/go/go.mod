module proctor.test/kit

go 1.23
