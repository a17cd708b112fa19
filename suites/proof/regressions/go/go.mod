module console

go 1.19
