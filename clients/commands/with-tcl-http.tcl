package require http

lassign $argv method url
set fields {}
set body {}
foreach word [lrange $argv 2 end] {
    if {[string index $word 0] eq "@"} {
        set body [list -query [read [open [string range $word 1 end] rb]]]
    } else {
        regexp {^([^:]*): (.*)$} $word -> name value
        lappend fields $name $value
    }
}
set load [http::geturl $url -method $method -headers $fields -binary 1 {*}$body]
if {[http::status $load] ne "ok"} {
    puts stderr [http::error $load]
    exit 1
}
fconfigure stdout -translation binary
puts -nonewline [http::data $load]
