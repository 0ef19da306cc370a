;; build: sbcl --non-interactive --eval '(require :asdf)' --eval '(asdf:load-system :drakma)' --eval '(save-lisp-and-die "OUT" :executable t)' >/dev/null 2>&1
;; The program is an SBCL that has loaded drakma, and takes this file as a script.
(destructuring-bind (method url . rest) (cdr sb-ext:*posix-argv*)
  (let* ((file (find #\@ rest :key (lambda (word) (char word 0))))
         (fields (loop for word in rest
                       for at = (search ": " word)
                       unless (find (char word 0) "@+") collect (cons (subseq word 0 at) (subseq word (+ at 2)))))
         (content (apply #'drakma:http-request url
                         :method (intern method :keyword) :additional-headers (remove "Content-Type" fields :key #'car :test #'string=) :force-binary t
                         :redirect (if (member "+follow" rest :test #'string=) 5 nil)
                         (if file
                             (list :content (pathname (subseq file 1))
                                   :content-type (or (cdr (assoc "Content-Type" fields :test #'string=)) "text/plain"))))))
    (with-open-stream (out (sb-sys:make-fd-stream 1 :input nil :output t :element-type '(unsigned-byte 8) :buffering :full))
      (when content (write-sequence content out)))))
