(set 'content (get-url (main-args 3) 20000))
(if (starts-with content "ERR:") (exit 1))
(write 1 content)
(exit 0)
