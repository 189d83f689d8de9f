// The compiled half of Asio and Beast, once: every other file only sees their headers.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
