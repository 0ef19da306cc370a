(use-modules (web client) (web response) (rnrs bytevectors) (ice-9 binary-ports))

(define words (cddr (command-line)))
(call-with-values
    (lambda () (http-request (car words) #:method (string->symbol (cadr (command-line))) #:decode-body? #f))
  (lambda (reply content) (if content (put-bytevector (current-output-port) content))))
