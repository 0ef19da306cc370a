#ifndef PROCTOR_FILES_H
#define PROCTOR_FILES_H

#include <stddef.h>

/// A file that the program contains; its memory lasts as long as the process.
struct proctor_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The file with that path below this target's folder, such as "Pages/base.css"; NULL where there is none.
const struct proctor_file *proctor_file_named(const char *name);

#endif
