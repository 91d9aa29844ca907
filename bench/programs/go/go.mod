module loop

go 1.22
