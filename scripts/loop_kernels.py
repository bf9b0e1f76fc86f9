"""Random kernels with loops, each as the same C for the processor and for a GPU. `scripts/loop-oracle` uses them."""

import random

# The parameters of each kernel, behind a pointer for the marks and one for data. Their places are what --param names.
PARAMETERS = [("int", "n"), ("int", "m"), ("unsigned", "u"), ("unsigned", "v"), ("long long", "q"), ("unsigned long long", "z")]
MANGLED = "PvPKiiijjxy"
MARKS = 4
SIZES = ["blockDim.x", "blockDim.y", "blockDim.z", "gridDim.x", "gridDim.y"]

# What both sides understand alike. Data is random, so an index of it may be any number.
COMMON = """
#define D(i) d[(i) & 1023]
typedef unsigned long long wide;
"""
DEVICE = COMMON + """
#define MOST(T, a, b) max((T)(a), (T)(b))
#define LEAST(T, a, b) min((T)(a), (T)(b))
#define LOOP(depth)
#define MARK0(depth, x) *(volatile unsigned char *)o = (unsigned char)(x)
#define MARK1(depth, x) ((volatile unsigned short *)o)[1] = (unsigned short)(x)
#define MARK2(depth, x) ((volatile unsigned *)o)[1] = (unsigned)(x)
#define MARK3(depth, x) ((volatile wide *)o)[1] = (wide)(x)
#define KERNEL(name) __global__ void name(void *o, const int *d, int n, int m, unsigned u, unsigned v, long long q, wide z)
"""


class Kernel:
    """One kernel: statements around a few loops, of which each marks its passes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.loops = 0
        self.names = 0
        # Variables of a type that a loop inside may use: the counters of those around it.
        self.around = []
        # Whether some counter of it has a sign: the compiler may take it that it never overflows.
        self.signed = False
        for _ in range(self.random.choice([1, 1, 1, 2])):
            if self.loops < MARKS:
                self.nest(0)

    def pick(self, *choices):
        return self.random.choice(choices)

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def name(self):
        self.names += 1
        return f"x{self.names}"

    def put(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def thread(self):
        """An index of a thread, in one of the ways of ordinary kernels."""
        return self.pick("threadIdx.x", "threadIdx.x", "threadIdx.y", "threadIdx.z", "(blockIdx.x*blockDim.x+threadIdx.x)",
                         "(blockIdx.y*blockDim.y+threadIdx.y)", "(threadIdx.x+threadIdx.y*blockDim.x)", "(threadIdx.x&31)",
                         "(threadIdx.x/32)", "blockIdx.x", "blockIdx.y", "((blockIdx.x*blockDim.x+threadIdx.x)/32)")

    def amount(self, depth=2):
        """A number of any sign, as limits and starts are made."""
        if depth == 0 or self.one_in(3):
            return self.pick("n", "n", "n", "m", "u", "u", "v", "(int)q", "(unsigned)z", "q", "z", str(self.random.randrange(0, 200)))
        inner = lambda: self.amount(depth - 1)
        return self.pick(
            lambda: f"({inner()}-1)", lambda: f"({inner()}+{self.random.randrange(1, 40)})", lambda: f"({inner()}+{self.thread()})",
            lambda: f"({inner()}-(int){self.thread()})", lambda: f"({inner()}/{self.pick(2, 3, 4, 10, 32, 'blockDim.x', '(int)gridDim.x')})",
            lambda: f"({inner()}*{self.pick(2, 3, 4)})", lambda: f"({inner()}>>{self.random.randrange(1, 5)})",
            lambda: f"({inner()}%{self.pick(3, 7, 16, 100)})", lambda: f"({inner()}&{self.pick('~3', '~31', 15, 63, 255)})",
            lambda: f"(({inner()}+{self.pick('31', 'blockDim.x-1', '(int)gridDim.x-1')})/{self.pick('32', 'blockDim.x', '(int)gridDim.x')})",
            lambda: f"LEAST({self.type()},{inner()},{inner()})", lambda: f"MOST({self.type()},{inner()},{inner()})",
            lambda: f"LEAST({self.type()},D({self.thread()}),{inner()})", lambda: f"(D({self.thread()})&{self.pick(7, 15, 63)})",
            lambda: self.thread(), lambda: f"({inner()}-{inner()})", lambda: f"({inner()}+{inner()})",
            lambda: self.around and self.pick(*self.around)[1] or inner(),
            lambda: f"(D({self.thread()})<{inner()}?{inner()}:{inner()})",
            lambda: f"({self.pick('unsigned char', 'short', 'signed char', 'unsigned short')}){inner()}",
        )()

    def step(self):
        """A number that is above zero for ordinary values."""
        return self.pick("1", "1", "1", "2", "3", "4", "5", "32", "blockDim.x", "blockDim.y", "gridDim.x", "(blockDim.x*gridDim.x)",
                         "(int)blockDim.x", "(int)(blockDim.x*gridDim.x)", "m", "v", "(m&7)+1", "(blockDim.x/32+1)", "(v|1)", "(n/8+1)",
                         "(gridDim.x*blockDim.x/32+1)", "(blockDim.x*blockDim.y)", "LEAST(int,m,4)", "(wide)blockDim.x*gridDim.x",
                         "(D(m)&3)+1", "(threadIdx.x&3)+1", "2*m")

    def type(self):
        return self.pick("int", "int", "int", "unsigned", "unsigned", "long long", "wide")

    def counter(self):
        kind = self.pick("int", "int", "int", "int", "unsigned", "unsigned", "long long", "wide", "wide", "short", "unsigned char")
        self.signed = self.signed or kind in ("int", "long long", "short")
        return kind, self.name()

    def nest(self, depth):
        """A loop with what is around it and in it."""
        if self.one_in(8):
            self.put(depth, f"if ({self.pick('threadIdx.x==0', 'threadIdx.x<16', 'n>m', 'threadIdx.x<blockDim.x/2', 'u<100', '(int)threadIdx.x<n')})")
        self.put(depth, "{")
        mark, self.loops = self.loops, self.loops + 1
        self.put(depth, f"  LOOP({depth})")
        if self.one_in(2):
            self.put(depth, f"  #pragma unroll {self.pick(1, 1, 1, 2, 4, 8)}")
            before = True
        else:
            before = False
        shape = self.pick(*SHAPES)
        place = len(self.lines)
        head, first, last, names, tail = shape(self)
        # A pragma must stand right before the loop, so declarations go before both.
        for line in head:
            self.lines.insert(place - before, "  " * (depth + 2) + line)
            place += 1
        self.put(depth, "  " + first + " {")
        self.put(depth, f"    MARK{mark}({depth}, {self.pick(*[name for _, name in names], '1')});")
        if self.one_in(6):
            self.put(depth, "    " + self.pick("if (D({0}) == 7) break;", "if (D({0}) & 1) continue;", "if ((int){0} == m) break;",
                                               "if ({0} > 100u) break;").format(names[0][1]))
        self.around += names
        while depth < 2 and self.loops < MARKS and self.one_in(3):
            self.nest(depth + 1)
        if names:
            del self.around[-len(names):]
        for line in last:
            self.put(depth, "    " + line)
        self.put(depth, "  }" + tail)
        self.put(depth, "}")

    def text(self, name):
        return "\n".join([f"KERNEL({name}) {{", *self.lines, "}"])


# The shapes of loops: declarations, the head, the end of the body, the names of counters, and what stands behind the bracket.

def upwards(k):
    kind, i = k.counter()
    start = k.pick("0", "0", k.thread(), k.thread(), k.amount(1))
    how = k.pick("<", "<", "<", "<=", "!=")
    step = "1" if how == "!=" and not k.one_in(6) else k.step()
    return [], f"for ({kind} {i} = {start}; {i} {how} {k.amount()}; {i} += {step})", [], [(kind, i)], ""


def stride(k):
    kind, i = k.counter()
    axis = k.pick("x", "x", "y", "z")
    start, step = f"threadIdx.{axis}", f"blockDim.{axis}"
    if axis != "z" and k.one_in(2):
        start, step = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}", f"blockDim.{axis} * gridDim.{axis}"
        if kind in ("long long", "wide"):
            start, step = f"({kind}){start}", f"({kind}){step}"
    limit = k.pick("n", "n", "u", "q", "z", "n * 2", "n + m", "(n & ~31)", k.amount(1))
    return [], f"for ({kind} {i} = {start}; {i} < {limit}; {i} += {step})", [], [(kind, i)], ""


def downwards(k):
    kind, i = k.counter()
    if k.one_in(3):
        return [], f"for ({kind} {i} = {k.amount()}; {i}-- > {k.pick('0', '0', '3', 'm')};)", [], [(kind, i)], ""
    how, end = k.pick(("> 0"), (">= 0"), ("> m"), (">= (int)threadIdx.x"), ("!= 0")), k.amount()
    how = how if kind in ("int", "long long", "short") or how != ">= 0" else "> 0"
    step = "1" if "!=" in how else k.step()
    return [], f"for ({kind} {i} = {end}; {i} {how}; {i} -= {step})", [], [(kind, i)], ""


def halves(k):
    kind, i = k.counter()
    by = k.pick(">>= 1", ">>= 1", "/= 2", ">>= 2", "/= 3", "/= 10", "/= (m & 7) + 2", "-= {0} / 2 + 1", "= {0} / 2")
    how = k.pick("> 0", "> 0", "!= 0", ">= 1", "> 1", "> m", "> 5")
    start = k.pick("blockDim.x / 2", "blockDim.x", "n", "u", "z", "16", k.amount(1), "threadIdx.x")
    return [], f"for ({kind} {i} = {start}; {i} {how}; {i} {by.format(i)})", [], [(kind, i)], ""


def doubles(k):
    kind, i = k.counter()
    by = k.pick("*= 2", "<<= 1", "*= 3", "+= {0}", "*= 4", "= {0} * 2 + 1", "<<= 2", "*= (m & 3) + 2")
    start = k.pick("1", "1", "1", "2", "(threadIdx.x + 1)", "m")
    limit = k.pick("n", "blockDim.x", "u", "1024", "threadIdx.x", k.amount(1))
    return [], f"for ({kind} {i} = {start}; {i} {k.pick('<', '<=')} {limit}; {i} {by.format(i)})", [], [(kind, i)], ""


def bits(k):
    kind, i = k.pick("unsigned", "wide"), k.name()
    start = k.pick("u", "z", "D(threadIdx.x)", "n & 255", "threadIdx.x", "u ^ v", "q")
    step = k.pick("{0} &= {0} - 1", "{0} &= {0} - 1", "{0} ^= {0} & (0 - {0})", "{0} >>= 1", "{0} &= ~({0} & (0 - {0}))", "{0} -= {0} & (0 - {0})")
    return [f"{kind} {i} = {start};"], f"while ({i}{k.pick('', ' != 0', ' > 0')})", [step.format(i) + ";"], [(kind, i)], ""


def ends_meet(k):
    (kind, i), j = k.counter(), k.name()
    start, end = k.pick("0", "0", k.thread(), k.amount(1)), k.amount()
    steps = k.pick("{0}++; {1}--;", "{0}++; {1}--;", "{0} += 2; {1}--;", "if (D({0}) & 1) {0}++; else {1}--;", "if (D({0}) < D({1})) {0}++; else {1}--;",
                   "if (D({0}) & 1) {0} += 3; {1}--;", "{0} += m; {1} -= 2;")
    return [f"{kind} {i} = {start}, {j} = {end};"], f"while ({i} {k.pick('<', '<=')} {j})", [steps.format(i, j)], [(kind, i), (kind, j)], ""


def merge(k):
    (kind, i), j = k.counter(), k.name()
    steps = k.pick("if (D({0}) < D({1})) {0}++; else {1}++;", "if (D({0}) < D({1})) {0} += 2; else {1}++;", "if (D({0}) & 1) {0}++; if (!(D({1}) & 1)) {1}++; else {0}++;")
    return ([f"{kind} {i} = {k.pick('0', 'threadIdx.x')}, {j} = {k.pick('0', '0', 'threadIdx.y')};"],
            f"while ({i} < {k.amount(1)} && {j} < {k.amount(1)})", [steps.format(i, j)], [(kind, i), (kind, j)], "")


def search(k):
    kind, low, high, middle = k.pick("int", "int", "unsigned", "long long", "wide"), k.name(), k.name(), k.name()
    k.signed = k.signed or kind in ("int", "long long")
    middle_is = k.pick(f"({low} + {high}) / 2", f"({low} + {high}) >> 1", f"{low} + ({high} - {low}) / 2", f"{low} + (({high} - {low}) >> 1)")
    how, up, down = k.pick(("<", "{2} + 1", "{2}"), ("<", "{2} + 1", "{2}"), ("<=", "{2} + 1", "{2} - 1"), ("<", "{2}", "{2} - 1"), ("<", "{2} + 1", "{2} + 1"))
    body = [f"{kind} {middle} = {middle_is};", f"if (D({middle}) < {k.pick('m', '(int)threadIdx.x', 'n')}) {low} = {up.format(low, high, middle)}; else {high} = {down.format(low, high, middle)};"]
    return ([f"{kind} {low} = {k.pick('0', '0', 'threadIdx.x', 'm')}, {high} = {k.amount(1)};"], f"while ({low} {how} {high})", body, [(kind, low), (kind, high)], "")


def pointers(k):
    p, end = k.name(), k.name()
    k.signed = True
    start = k.pick("d", "d + threadIdx.x", "d + (threadIdx.x + blockIdx.x * blockDim.x)")
    step = k.pick("1", "1", "2", "blockDim.x", "(int)blockDim.x", "m", "32", "blockDim.x * gridDim.x")
    if k.one_in(3):
        return ([f"const int *{p} = d, *{end} = d + {k.amount(1)};"], f"while ({p} {k.pick('<', '!=')} {end})", [f"{p}++;"], [("pointer", f"(*(const int *)(d + (({p} - d) & 1023)))")], "")
    return [f"const int *{end} = d + {k.amount(1)};"], f"for (const int *{p} = {start}; {p} < {end}; {p} += {step})", [], [("pointer", f"(({p} - d) & 1023)")], ""


def window(k):
    kind, i, low, high = k.pick("int", "int", "long long"), k.name(), k.name(), k.name()
    k.signed = True
    at = k.pick("threadIdx.x", "(blockIdx.x*blockDim.x+threadIdx.x)", "n", "threadIdx.y")
    low_is, high_is = k.pick((f"MOST({kind}, (int){at} - m, 0)", f"LEAST({kind}, (int){at} + m, n - 1)"), (f"(int){at} * m", f"LEAST({kind}, (int){at} * m + m, n)"),
                             (f"(int){at} * 4", f"LEAST({kind}, (int){at} * 4 + 4, n)"), (f"(int){at} / 4 - 3", f"(int){at} / 4 + 3"))
    return [f"{kind} {low} = {low_is}, {high} = {high_is};"], f"for ({kind} {i} = {low}; {i} {k.pick('<', '<=')} {high}; {i}++)", [], [(kind, i)], ""


def at_least_once(k):
    kind, i = k.counter()
    update = k.pick("{0}++", "{0} += 2", f"{{0}} += {k.step()}", "{0} <<= 1", "{0} = {0} * 2 + 1")
    return [f"{kind} {i} = {k.pick('0', '1', k.thread(), k.amount(1))};"], "do", [update.format(i) + ";"], [(kind, i)], f" while ({i} {k.pick('<', '<', '<=')} {k.amount()});"


def at_least_once_down(k):
    kind, i = k.counter()
    update = k.pick("--{0}", "{0} -= 2", "{0} >>= 1", "{0} /= 3")
    return [f"{kind} {i} = {k.amount()};"], "do", [update.format(i) + ";"], [(kind, i)], f" while ({i} > {k.pick('0', '0', 'm', '1')});"


def left_inside(k):
    kind, i = k.counter()
    return [f"{kind} {i} = {k.pick('0', k.thread())};"], "while (1)", [f"if ({i} {k.pick('>=', '>')} {k.amount()}) break;", f"{i} += {k.step()};"], [(kind, i)], ""


def divisor(k):
    kind, a, b, t = k.pick("int", "unsigned"), k.name(), k.name(), k.name()
    k.signed = k.signed or kind == "int"
    return [f"{kind} {a} = {k.pick('n', 'u', 'threadIdx.x')}, {b} = {k.pick('m', 'v')};"], f"while ({b})", [f"{kind} {t} = {a} % {b}; {a} = {b}; {b} = {t};"], [(kind, a)], ""


def growing_step(k):
    (kind, i), s = k.counter(), k.name()
    update = k.pick("{0} += {1}; {1}++;", "{0} += {1}; {1} *= 2;", "{0} += {1}; {1} = {0} & 3;", "{1}++; {0} = {1} * 3;", "if (D({0}) & 1) {0}++; {0}++;",
                    "{0} += D({0}) & 3; {0}++;", "{0} += (D({0}) & 1) ? 1 : 2;", "{0} = ({0} + {1}) % 64;")
    return ([f"{kind} {i} = {k.pick('0', k.thread())}, {s} = {k.pick('1', '1', 'm', 'threadIdx.y')};"], f"while ({i} < {k.amount(1)})", [update.format(i, s)], [(kind, i)], "")


def moving_limit(k):
    (kind, i), end = k.counter(), k.name()
    update = k.pick("{1}--;", "if (D({0}) & 1) {1}--;", "{1} = LEAST(int, {1}, m);", "{1} -= 2;", "{1} /= 2;", "if (D({0}) == 3) {1} = {0};", "{1}++;")
    return ([f"{kind} {i} = {k.pick('0', k.thread())}, {end} = {k.amount(1)};"], f"while ({i} < {end})", [f"{i} += {k.step()};", update.format(i, end)], [(kind, i), (kind, end)], "")


def both_ways(k):
    (kind, i), flag = k.counter(), k.name()
    return ([f"{kind} {i} = 0; int {flag} = 1;"], f"while ({flag})", [f"{i} += {k.step()};", f"{flag} = {i} < {k.amount(1)}{k.pick('', ' && ' + i + ' != 50', ' || ' + i + ' < m')};"], [(kind, i)], "")


SHAPES = [upwards, upwards, upwards, stride, stride, downwards, downwards, halves, doubles, bits, ends_meet, merge, search, pointers, window,
          at_least_once, at_least_once_down, left_inside, divisor, growing_step, moving_limit, both_ways]
