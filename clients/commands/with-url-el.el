;;; with-url-el.el --- Loads a URL with url.el  -*- lexical-binding: t -*-
(require 'url)
(let* ((words (delete "--" command-line-args-left))
       (url-request-method (nth 0 words))
       (url-max-redirections (if (member "+follow" words) 30 0))
       (url-request-extra-headers
        (mapcar (lambda (word) (let ((at (string-match ": " word))) (cons (substring word 0 at) (substring word (+ at 2)))))
                (seq-filter (lambda (word) (not (memq (aref word 0) '(?@ ?+)))) (cddr words))))
       (file (seq-find (lambda (word) (eq (aref word 0) ?@)) words))
       (url-request-data
        (and file (with-temp-buffer (set-buffer-multibyte nil) (insert-file-contents-literally (substring file 1)) (buffer-string)))))
  (setq command-line-args-left nil)
  (with-current-buffer (url-retrieve-synchronously (nth 1 words) t)
    (set-buffer-multibyte nil)
    (unless (boundp 'url-http-end-of-headers) (kill-emacs 1))
    (princ (buffer-substring (min (point-max) (1+ url-http-end-of-headers)) (point-max)))))
