// Your server stands here.
