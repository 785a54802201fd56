;;; -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;;
;; A user of Emacs with Eglot: opens a file, sees what is wrong, applies the fix,
;; sees that nothing is wrong any more.
;;
;;   emacs --batch -Q -L EGLOT -l eglot.el FILE SERVER ARGUMENTS...

(require 'cl-lib)
(require 'cc-mode)
(require 'eglot)

(defvar file (pop command-line-args-left))
(defvar command command-line-args-left)
(setq command-line-args-left nil
      eglot-autoshutdown nil
      eglot-connect-timeout 60
      jsonrpc-default-request-timeout 60)

(defun say (&rest words) (princ (concat (apply #'format words) "\n")))

(defun ours ()
  "What coreside says of this buffer."
  (cl-remove-if-not (lambda (diagnostic)
                      (string-match-p "implicit-sync" (flymake-diagnostic-text diagnostic)))
                    (flymake-diagnostics)))

(defun wait (what holds)
  "Everything waits for what it needs."
  (with-timeout (60 (say "FAILED: waited in vain for %s; diagnostics: %s" what
                         (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
                    (kill-emacs 1))
    (while (not (funcall holds))
      (accept-process-output nil 0.02))))

(add-to-list 'eglot-server-programs (cons 'c++-mode command))
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . c++-mode))
(find-file file)
(apply #'eglot (eglot--guess-contact))
(wait "our diagnostic" #'ours)
(let ((found (car (ours))))
  (goto-char (flymake-diagnostic-beg found))
  (say "%d: %s" (line-number-at-pos) (car (split-string (flymake-diagnostic-text found) "\n")))
  ;; As it is taken from the list.
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (let ((titles (mapcar (lambda (c) (if (consp c) (car c) c)) choices)))
                 (dolist (title titles) (say "action: %s" title))
                 (cl-find-if (lambda (title) (string-match-p "^call 'cudaFree' after" title))
                             titles)))))
    (let ((last-nonmenu-event ?x))
      (eglot-code-actions (flymake-diagnostic-beg found) (flymake-diagnostic-end found)
                          nil t))))
(wait "the edit" #'buffer-modified-p)
(wait "the diagnostic to go" (lambda () (not (ours))))
(say "gone")
(princ (buffer-substring-no-properties (point-min) (point-max)))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server) nil 60)
(say "shut down")
