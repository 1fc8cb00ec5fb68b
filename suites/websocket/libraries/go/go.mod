module wirelab.dev/whiteboard

go 1.23
