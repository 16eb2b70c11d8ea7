# Gnuplot's svg terminal; the command line sets `file`, `options` and the encoding.
eval "set terminal svg size 640,480 font 'NanumGothic,14' ".options
set output file
set title "Small hall"
unset key; unset tics; unset border
set xrange [0:640]; set yrange [480:0]
set object 1 polygon from 200,40 to 440,40 to 410,96 to 350,110 to 290,110 to 230,96 to 200,40
set object 1 fillcolor "#f7d794" fillstyle solid border lc "black"
set object 2 polygon from 60,140 to 200,152 to 200,262 to 40,244 to 60,140
set object 2 fillcolor "#4f81bd" fillstyle solid border lc "black"
set object 3 polygon from 215,152 to 280,162 to 360,162 to 425,152 to 425,262 to 360,274 to 280,274 to 215,262 to 215,152
set object 3 fillcolor "#c0504d" fillstyle transparent solid 0.8 border lc "black"
set object 4 polygon from 580,140 to 440,152 to 440,262 to 600,244 to 580,140
set object 4 fillcolor "#9bbb59" fillstyle solid border lc "black"
set object 5 polygon from 70,300 to 200,333 to 440,333 to 570,300 to 590,390 to 440,427 to 200,427 to 50,390 to 70,300
set object 5 fillcolor "#8064a2" fillstyle pattern 4 border lc "black"
set label 1 "Stage" at 320,72 center front
set label 2 "A구역" at 120,205 center front
set label 3 "B구역" at 320,250 center front
set label 4 "C구역" at 520,205 center front
set label 5 "2층" at 320,385 center front
set arrow 1 from 320,474 to 320,436
seat(i) = 243 + 22 * (int(i) % 8)
row(i) = 180 + 22 * (int(i) / 8)
plot sample [i=0:23:1] '+' using (seat($1)):(row($1)) with points pointtype 7 pointsize 0.7 linecolor "white"
