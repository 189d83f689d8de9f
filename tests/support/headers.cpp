// Has the headers that all tests share compiled; see tests/CMakeLists.txt.
int main() {
    return 0;
}
