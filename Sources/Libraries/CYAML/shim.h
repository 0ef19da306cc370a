#ifndef PROCTOR_CYAML_SHIM_H
#define PROCTOR_CYAML_SHIM_H

#include <yaml.h>

#endif
