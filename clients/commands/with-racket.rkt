#lang racket/base
(require net/url racket/port racket/list)
(define words (vector->list (current-command-line-arguments)))
(define fields (filter (lambda (word) (not (memv (string-ref word 0) '(#\@ #\+)))) (cddr words)))
(define in (get-pure-port (string->url (cadr words)) fields #:redirections (if (member "+follow" words) 10 0)))
(copy-port in (current-output-port))
