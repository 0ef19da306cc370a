# frozen_string_literal: true

# The helper as a gem. `make dist` builds the gem of a release from these lines, with the program in the folder `program`.
Gem::Specification.new do |spec|
  spec.name = "proctor-http"
  spec.version = "0.1.0"
  spec.summary = "Tests of HTTP clients in RSpec and Minitest, judged by a Proctor server"
  spec.authors = ["Proctor"]
  spec.required_ruby_version = ">= 3.0"
  spec.files = Dir.glob("{lib,exe,program,licences}/**/*", base: __dir__) + ["README.md"]
  spec.bindir = "exe"
  spec.executables = ["proctor"] if File.exist?(File.join(__dir__, "program/proctor"))
end
