:- use_module(library(http/http_open)).
:- use_module(library(http/http_client)).

main :-
    current_prolog_flag(argv, [Method, Url | Rest]),
    downcase_atom(Method, Lower),
    ( memberchk('+follow', Rest) -> Follow = true ; Follow = false ),
    findall(request_header(Name = Value), (field(Rest, Name, Value), Name \== 'Content-Type'), Fields),
    ( field(Rest, 'Content-Type', Type) -> true ; Type = 'application/octet-stream' ),
    ( member(Word, Rest), atom_concat('@', File, Word) -> Body = [post(file(Type, File))] ; Body = [] ),
    append([[method(Lower), redirect(Follow), status_code(_)], Fields, Body], Options),
    http_open(Url, In, Options),
    set_stream(In, encoding(octet)),
    set_stream(user_output, encoding(octet)),
    copy_stream_data(In, user_output),
    halt(0).

field(Words, Name, Value) :-
    member(Word, Words), \+ sub_atom(Word, 0, 1, _, '@'), sub_atom(Word, At, 2, After, ': '),
    sub_atom(Word, 0, At, _, Name), sub_atom(Word, _, After, 0, Value).

:- initialization((catch(main, Failure, (print_message(error, Failure), halt(1))) ; halt(1))).
