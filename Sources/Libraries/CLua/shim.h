#pragma once
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A Lua error is a longjmp, which must not pass a frame of Swift. So everything that can raise stands here, in C functions
// that run below lua_resume or lua_pcall; Swift calls only what the manual marks with '-', and returns its results and
// errors as bytes that are made into values here, after its frame has ended. Nothing else is decided here.

struct proctor_lua;

// Called by a script; the number of results in `output`, or one of the two below.
typedef int (*proctor_lua_function)(struct proctor_lua *host, lua_State *L, int function);
// Called after some work; proctor_lua_ends when a bound was reached, whose name is in `output`, proctor_lua_pauses when others
// shall have their turn, else 0.
typedef int (*proctor_lua_tick)(struct proctor_lua *host, int64_t work);

static const int proctor_lua_fails = -1;
static const int proctor_lua_yields = -2;
static const int proctor_lua_ends = 1;
static const int proctor_lua_pauses = 2;

// What a state and its Swift owner share; reached by lua_getextraspace from every coroutine.
struct proctor_lua {
    void *owner;
    proctor_lua_function call;
    proctor_lua_tick tick;
    const uint8_t *output;
    size_t output_count;
    // How many instructions run between two ticks, and how many have run since the last one.
    int hook_interval;
    int pending;
    // The coroutine that may pause between two instructions, NULL where none may; and whether it has.
    lua_State *pausing;
    int has_paused;
    // Of `request`: its metatable, and how many properties it has.
    ptrdiff_t request_metatable;
    int property_count;
    const char *prelude;
    size_t prelude_count;
};

static inline struct proctor_lua *proctor_lua_host(lua_State *L) {
    return *(struct proctor_lua **)lua_getextraspace(L);
}

static inline void proctor_lua_set_host(lua_State *L, struct proctor_lua *host) {
    *(struct proctor_lua **)lua_getextraspace(L) = host;
}

// Makes the values of `output`, each behind those before it; the letters are those of LuaValues.
static inline void proctor_lua_build(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    const uint8_t *at = host->output;
    const uint8_t *end = at + host->output_count;
    while (at < end) {
        int64_t number;
        double real;
        uint32_t counts[2];
        luaL_checkstack(L, 4, "too many values");
        switch (*at++) {
        case 'n': lua_pushnil(L); break;
        case 't': lua_pushboolean(L, 1); break;
        case 'f': lua_pushboolean(L, 0); break;
        case 'N': lua_pushlightuserdata(L, NULL); break;
        case 'i': memcpy(&number, at, 8); at += 8; lua_pushinteger(L, number); break;
        case 'd': memcpy(&real, at, 8); at += 8; lua_pushnumber(L, real); break;
        case 's':
            memcpy(counts, at, 4); at += 4;
            lua_pushlstring(L, (const char *)at, counts[0]); at += counts[0];
            break;
        case 'T': memcpy(counts, at, 8); at += 8; lua_createtable(L, (int)counts[0], (int)counts[1]); break;
        case '=': lua_rawset(L, -3); break;
        case '#': memcpy(counts, at, 4); at += 4; lua_rawseti(L, -2, counts[0]); break;
        case 'M':
            memcpy(counts, at, 4); at += 4;
            lua_rawgetp(L, LUA_REGISTRYINDEX, (const char *)host + counts[0]);
            lua_setmetatable(L, -2);
            break;
        }
    }
}

// The line of the script that runs; the prelude is no place of its user's. 0 where there is none.
static inline int proctor_lua_place(lua_State *L, lua_Debug *place) {
    for (int level = 0; lua_getstack(L, level, place); level++) {
        lua_getinfo(L, "Sl", place);
        if (place->currentline > 0 && strcmp(place->short_src, "(prelude)") != 0) return 1;
    }
    return 0;
}

// Raises what is in `output`, with the line of the script before it.
static inline int proctor_lua_raise(lua_State *L) {
    lua_Debug place;
    if (proctor_lua_place(L, &place)) lua_pushfstring(L, "%s:%d: ", place.short_src, place.currentline);
    else lua_pushliteral(L, "");
    proctor_lua_build(L);
    lua_concat(L, 2);
    return lua_error(L);
}

static inline int proctor_lua_finish(lua_State *L, int result) {
    if (result == proctor_lua_yields) return lua_yield(L, 0);
    if (result == proctor_lua_fails) return proctor_lua_raise(L);
    proctor_lua_build(L);
    return result;
}

// A function of Swift; its number is the upvalue.
static inline int proctor_lua_call(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    return proctor_lua_finish(L, host->call(host, L, (int)lua_tointeger(L, lua_upvalueindex(1))));
}

// __index of `request`: upvalue 2 has the number of each property, under which its value is kept as a user value once it was
// asked for. Anything else is nil.
static inline int proctor_lua_index(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int property = (int)lua_tointeger(L, 2);
    if (property == 0 || lua_getiuservalue(L, 1, property) != LUA_TNIL) return 1;
    lua_settop(L, 2);
    int result = host->call(host, L, (int)lua_tointeger(L, lua_upvalueindex(1)));
    if (result != 1) return proctor_lua_finish(L, result);
    proctor_lua_build(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, property);
    return 1;
}

// Makes the object of a request, whose number is the second argument.
static inline int proctor_lua_request(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    int64_t number = lua_tointeger(L, 2);
    memcpy(lua_newuserdatauv(L, sizeof number, host->property_count), &number, sizeof number);
    lua_rawgetp(L, LUA_REGISTRYINDEX, (const char *)host + host->request_metatable);
    lua_setmetatable(L, -2);
    return 1;
}

// The two arguments of a script; there is room for them on the stack.
static inline void proctor_lua_push_request(lua_State *L, int64_t number) {
    lua_pushcfunction(L, proctor_lua_request);
    lua_pushinteger(L, number);
}

// Called before each instruction of each coroutine: Lua looks there whatever its own interval is, and the interval here can
// be made shorter by an allocation.
static inline void proctor_lua_hook(lua_State *L, lua_Debug *where) {
    struct proctor_lua *host = proctor_lua_host(L);
    if (++host->pending < host->hook_interval) return;
    int work = host->pending;
    host->pending = 0;
    int next = host->tick(host, work);
    if (next == proctor_lua_pauses && L == host->pausing && lua_isyieldable(L)) {
        host->has_paused = 1;
        // In a hook it returns, and the coroutine yields behind the hook.
        lua_yield(L, 0);
    }
    if (next != proctor_lua_ends) return;
    // Whoever catches the error gets it again at the next instruction.
    host->hook_interval = 1;
    proctor_lua_raise(L);
}

static inline void proctor_lua_set_hook(lua_State *L) { lua_sethook(L, proctor_lua_hook, LUA_MASKCOUNT, 1); }

// Behind the place of an error in the prelude, which is no place of its user's.
static inline const char *proctor_lua_without_prelude(const char *message) {
    static const char prelude[] = "(prelude):";
    if (strncmp(message, prelude, sizeof prelude - 1) != 0) return message;
    const char *at = message + sizeof prelude - 1;
    while (*at >= '0' && *at <= '9') at++;
    return at[0] == ':' && at[1] == ' ' ? at + 2 : message;
}

// A library function whose time depends on its arguments: what they make of it is counted as work before it runs. Upvalues:
// the function; at which argument there is a count, or the first of two numbers between which it goes, 0: none; whether it is
// such a range; and how many arguments the function takes for nothing.
static inline int proctor_lua_charged(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    static const int64_t endless = (int64_t)1e12;
    int64_t work = 0;
    int count = lua_gettop(L);
    int number = (int)lua_tointeger(L, lua_upvalueindex(2));
    int isRange = lua_toboolean(L, lua_upvalueindex(3));
    int isFree = count <= (int)lua_tointeger(L, lua_upvalueindex(4));
    // With a million arguments of many bytes each the sum stays below 2^63: all texts of a state are below 2^31 bytes.
    for (int index = 1; !isFree && index <= count; index++) {
        if (lua_type(L, index) == LUA_TSTRING) work += (int64_t)(lua_rawlen(L, index) / 16);
        else if (!isRange && lua_type(L, index) == LUA_TTABLE && lua_rawlen(L, index) < (lua_Unsigned)endless)
            work += (int64_t)lua_rawlen(L, index);
        else if (!isRange && lua_type(L, index) == LUA_TTABLE) work += endless;
    }
    if (number != 0) {
        // A text is a number here too, as the library takes it.
        double most = lua_tonumber(L, isRange ? number + 1 : number);
        if (isRange) most -= lua_tonumber(L, number);
        work += most > (double)endless ? endless : most > 0 ? (int64_t)most : 0;
    }
    if (work > 16 && host->tick(host, work) == proctor_lua_ends) return proctor_lua_raise(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    if (lua_pcall(L, count, LUA_MULTRET, 0) == LUA_OK) return lua_gettop(L);
    // The library looks for the line at its caller, which is this function; lua_error keeps what is about memory.
    lua_Debug place;
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (message && strcmp(message, "not enough memory") != 0 && proctor_lua_place(L, &place)) {
        size_t length = strlen(place.short_src);
        message = proctor_lua_without_prelude(message);
        if (strncmp(message, place.short_src, length) != 0 || message[length] != ':') {
            lua_pushfstring(L, "%s:%d: %s", place.short_src, place.currentline, message);
        }
    }
    return lua_error(L);
}

// native(kind, …) of the prelude: 1 a function of Swift by number, 2 an __index of that number and a table of numbers by
// name, 3 a charged function, 4 keeps a metatable by number for 'M', 5 the light userdata that is null, 6 whether a function is
// one of C, whose calls count no instruction.
static inline int proctor_lua_native(lua_State *L) {
    switch (lua_tointeger(L, 1)) {
    case 1: lua_settop(L, 2); lua_pushcclosure(L, proctor_lua_call, 1); return 1;
    case 2: lua_settop(L, 3); lua_pushcclosure(L, proctor_lua_index, 2); return 1;
    case 3: lua_settop(L, 5); lua_pushcclosure(L, proctor_lua_charged, 4); return 1;
    case 4:
        lua_settop(L, 3);
        lua_rawsetp(L, LUA_REGISTRYINDEX, (const char *)proctor_lua_host(L) + lua_tointeger(L, 2));
        return 0;
    case 6: lua_pushboolean(L, lua_iscfunction(L, 2)); return 1;
    default: lua_pushlightuserdata(L, NULL); return 1;
    }
}

// A text that the compiler takes in pieces: its time can grow with the square of the text, so the clock is looked at between
// two of them. `is_over` says that the time is up.
struct proctor_lua_text {
    const char *rest;
    size_t rest_count;
    int (*is_over)(void *clock);
    void *clock;
    const char *sentence;
};

static inline const char *proctor_lua_piece(lua_State *L, void *argument, size_t *count) {
    struct proctor_lua_text *text = (struct proctor_lua_text *)argument;
    const char *piece = text->rest;
    if (text->is_over(text->clock)) luaL_error(L, "%s", text->sentence);
    *count = text->rest_count < 256 ? text->rest_count : 256;
    text->rest += *count;
    text->rest_count -= *count;
    return piece;
}

// Raises nothing, as luaL_loadbufferx.
static inline int proctor_lua_load(lua_State *L, struct proctor_lua_text *text, const char *name) {
    return lua_load(L, proctor_lua_piece, text, name, "t");
}

// Opens what is harmless of the standard libraries, and runs the prelude, which makes the rest of the sandbox.
static inline int proctor_lua_open(lua_State *L) {
    struct proctor_lua *host = proctor_lua_host(L);
    luaL_checkversion(L);
    luaL_requiref(L, "_G", luaopen_base, 1);
    luaL_requiref(L, "table", luaopen_table, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    luaL_requiref(L, "math", luaopen_math, 1);
    luaL_requiref(L, "utf8", luaopen_utf8, 1);
    luaL_requiref(L, "coroutine", luaopen_coroutine, 1);
    lua_settop(L, 0);
    if (luaL_loadbufferx(L, host->prelude, host->prelude_count, "=(prelude)", "t") != LUA_OK) return lua_error(L);
    lua_pushcfunction(L, proctor_lua_native);
    lua_call(L, 1, 0);
    // A reply leaves little behind, beside libraries and scripts that stay; where memory is short, Lua collects anyhow.
    lua_gc(L, LUA_GCINC, 1000, 0, 0);
    return 0;
}

// Behind a chunk: gives it globals of its own, which fall back on the common ones.
static inline int proctor_lua_adopt(lua_State *L) {
    lua_settop(L, 1);
    lua_createtable(L, 0, 4);
    lua_rawgetp(L, LUA_REGISTRYINDEX, (const char *)proctor_lua_host(L));
    lua_setmetatable(L, 2);
    lua_setupvalue(L, 1, 1);
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    return 1;
}

// Behind a chunk of a library: all libraries have one table of globals, which falls back on the common ones; the globals of
// scripts that are adopted later fall back on it. Under `host + 4` in the registry.
static inline int proctor_lua_adopt_library(lua_State *L) {
    const char *host = (const char *)proctor_lua_host(L);
    lua_settop(L, 1);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, host + 4) != LUA_TTABLE) {
        lua_settop(L, 1);
        lua_createtable(L, 0, 8);
        lua_rawgetp(L, LUA_REGISTRYINDEX, host);
        lua_setmetatable(L, 2);
        lua_pushvalue(L, 2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, host + 4);
        lua_createtable(L, 0, 2);
        lua_pushboolean(L, 0);
        lua_setfield(L, 3, "__metatable");
        lua_pushvalue(L, 2);
        lua_setfield(L, 3, "__index");
        lua_rawsetp(L, LUA_REGISTRYINDEX, host);
    }
    lua_setupvalue(L, 1, 1);
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    return 1;
}

// A coroutine of ours, kept in the registry; its reference is the result, its state behind it.
static inline int proctor_lua_thread(lua_State *L) {
    lua_State *thread = lua_newthread(L);
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    lua_pushlightuserdata(L, thread);
    return 2;
}

static inline int proctor_lua_forget(lua_State *L) {
    luaL_unref(L, LUA_REGISTRYINDEX, (int)lua_tointeger(L, 1));
    return 0;
}

// Pushes the values of `output`.
static inline int proctor_lua_push(lua_State *L) {
    int before = lua_gettop(L);
    proctor_lua_build(L);
    return lua_gettop(L) - before;
}

// Runs one of the functions above with the `count` values on top; what lua_pcall returns.
static inline int proctor_lua_try_open(lua_State *L) {
    lua_pushcfunction(L, proctor_lua_open);
    return lua_pcall(L, 0, 0, 0);
}
static inline int proctor_lua_try_adopt(lua_State *L) {
    lua_pushcfunction(L, proctor_lua_adopt);
    lua_insert(L, -2);
    return lua_pcall(L, 1, 1, 0);
}
static inline int proctor_lua_try_adopt_library(lua_State *L) {
    lua_pushcfunction(L, proctor_lua_adopt_library);
    lua_insert(L, -2);
    return lua_pcall(L, 1, 1, 0);
}
static inline int proctor_lua_try_thread(lua_State *L) {
    lua_pushcfunction(L, proctor_lua_thread);
    return lua_pcall(L, 0, 2, 0);
}
static inline int proctor_lua_try_forget(lua_State *L, lua_Integer reference) {
    lua_pushcfunction(L, proctor_lua_forget);
    lua_pushinteger(L, reference);
    return lua_pcall(L, 1, 0, 0);
}
static inline int proctor_lua_try_push(lua_State *L) {
    lua_pushcfunction(L, proctor_lua_push);
    return lua_pcall(L, 0, LUA_MULTRET, 0);
}

// Macros of lua.h.

static const int proctor_LUA_REGISTRYINDEX = LUA_REGISTRYINDEX;

static inline void proctor_lua_pop(lua_State *L, int count) { lua_settop(L, -count - 1); }
