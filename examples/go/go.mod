module example.test/conformance

go 1.21
