#!/usr/bin/env escript
main([Method, Url | Rest]) ->
    {ok, _} = application:ensure_all_started(inets),
    Fields = [begin [Name, Value] = string:split(Word, ": "), {Name, Value} end || [First | _] = Word <- Rest, First =/= $@, First =/= $+],
    Request = case [File || [$@ | File] <- Rest] of
        [] -> {Url, Fields};
        [File] -> {ok, Body} = file:read_file(File), {Url, Fields, proplists:get_value("Content-Type", Fields, "text/plain"), Body}
    end,
    Options = [{autoredirect, lists:member("+follow", Rest)}],
    {ok, {_, _, Content}} = httpc:request(list_to_atom(string:lowercase(Method)), Request, Options, [{body_format, binary}]),
    io:setopts([{encoding, latin1}]),
    file:write(standard_io, Content).
