module example.test/console-client

go 1.21
